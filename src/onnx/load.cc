#include "onnx/load.h"

#include <cstring>

#include "base/error.h"
#include "base/escape.h"
#include "base/mapped_file.h"
#include "onnx/functions.h"
#include "onnx/graph_builder.h"
#include "onnx/proto.h"
#include "onnx/tensor_reader.h"

namespace overt {
namespace {

constexpr int64_t kNewestIr = 14;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_header(const ProtoModel& proto) {
  if (proto.ir_version < 1) {
    fail(ErrorCode::invalid_model, "the IR version is {}, expected 1 or more: is this an ONNX model?",
         proto.ir_version);
  }
  if (!proto.graph) fail(ErrorCode::invalid_model, "the model has no graph: is this an ONNX model?");
  if (proto.opsets.empty()) {
    fail(ErrorCode::invalid_model, "the model imports no operator set: it needs at least one opset_import");
  }
}

/// What the file says about itself.
void describe_file(const ProtoModel& proto, Model& model) {
  model.ir_version = proto.ir_version;
  model.model_version = proto.model_version;
  model.producer_name = proto.producer_name;
  model.producer_version = proto.producer_version;
  model.domain = proto.domain;
  model.description = proto.description;
  model.graph_name = proto.graph->name;
  for (const ProtoOpset& opset : proto.opsets) {
    model.opsets.push_back({std::string(canonical_domain(opset.domain)), opset.version});
  }
  for (const auto& [key, value] : proto.metadata) model.metadata.emplace_back(key, value);
  if (proto.ir_version > kNewestIr) {
    model.warnings.push_back(
        fmt::format("the IR version is {}, newer than {}, the newest one known here", proto.ir_version, kNewestIr));
  }
  if (proto.has_training_info) model.warnings.push_back("the model's training part is passed over");
}

Model read_model(std::span<const std::byte> bytes, BytesOwner owner,
                 const std::optional<std::filesystem::path>& directory, const LoadLimits& limits) {
  if (bytes.empty()) fail(ErrorCode::invalid_model, "truncated: the file is empty, at byte 0");
  const std::string_view text = as_text(bytes);
  const FileOrigin origin{text.data()};
  const ProtoModel proto = read_model_proto(text, origin, limits.subgraph_depth);
  check_header(proto);
  Model model;
  model.file_bytes = static_cast<int64_t>(bytes.size());
  describe_file(proto, model);

  const uint64_t hash_key = random_key();
  const OpsetTable opsets(proto.opsets, hash_key, "the model");
  const FunctionTable functions(proto, origin, hash_key, limits);
  ExternalFiles external(directory, limits);
  TensorReader tensors(origin, model.file_bytes, std::move(owner), external, limits);
  GraphBuilder builder(proto, origin, hash_key, limits, opsets, functions, tensors, model);
  builder.build();
  model.external_files = external.names();
  return model;
}

/// A copy of the bytes that its holders share.
std::shared_ptr<const void> copy_bytes(std::span<const std::byte>& bytes) {
  if (bytes.empty()) return nullptr;
  const auto copy = std::make_shared<Tensor>(DataType::uint8, Shape{static_cast<int64_t>(bytes.size())});
  std::memcpy(copy->mutable_data(), bytes.data(), bytes.size());
  bytes = {static_cast<const std::byte*>(copy->data()), bytes.size()};
  return copy;
}

}  // namespace

Model load_onnx(const std::filesystem::path& path, const LoadLimits& limits) {
  const auto file = std::make_shared<const MappedFile>(path);  // shared with the weights
  try {
    return read_model(file->bytes(), {file, /*is_mapped_file=*/true}, path.parent_path(), limits);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", escape_name(path.filename().native()), error.message()),
                error.subject());
  }
}

Model load_onnx(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                const std::optional<std::filesystem::path>& external_data_directory, const LoadLimits& limits) {
  if (owner == nullptr) owner = copy_bytes(bytes);  // shared by the weights alone
  return read_model(bytes, {std::move(owner), /*is_mapped_file=*/false}, external_data_directory, limits);
}

Tensor read_tensor_proto(std::span<const std::byte> bytes) {
  if (bytes.empty()) fail(ErrorCode::invalid_model, "truncated: a TensorProto of no bytes");
  const LoadLimits limits;
  ExternalFiles no_files(std::nullopt, limits);
  TensorReader reader(FileOrigin{as_text(bytes).data()}, static_cast<int64_t>(bytes.size()), {}, no_files, limits);
  return reader.read(as_text(bytes)).tensor.clone();
}

}  // namespace overt
