#include "peak_memory.h"

#include <fstream>
#include <string>

namespace overt::cli {

// getrusage would count what the process held before it became this program.
int64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

}  // namespace overt::cli
