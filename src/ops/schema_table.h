#ifndef OVERT_OPS_SCHEMA_TABLE_H_
#define OVERT_OPS_SCHEMA_TABLE_H_

#include "ops/schema.h"

namespace overt {

struct DomainVersion {
  std::string_view domain;
  int32_t latest_opset;
};

/// The generated table behind schema.h.
struct SchemaTable {
  std::span<const OpSchema> schemas;  ///< by domain, name and since_version
  std::span<const DomainVersion> domains;
};

SchemaTable schema_table();

}  // namespace overt

#endif  // OVERT_OPS_SCHEMA_TABLE_H_
