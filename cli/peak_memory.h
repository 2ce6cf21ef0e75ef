#ifndef OVERT_CLI_PEAK_MEMORY_H_
#define OVERT_CLI_PEAK_MEMORY_H_

#include <cstdint>

namespace overt::cli {

/// Bytes of physical memory that this program held at most; 0 where the system does not say.
int64_t peak_resident_bytes();

}  // namespace overt::cli

#endif  // OVERT_CLI_PEAK_MEMORY_H_
