#include "onnx/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "onnx/test_writer.h"

namespace overt {
namespace {

namespace fs = std::filesystem;
using test::external_tensor;
using test::graph_attribute;
using test::Message;
using test::node;
using test::raw;
using test::TestGraph;
using test::value;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Entries = std::vector<std::pair<std::string, std::string>>;

Message with_weight(const Message& weight) {
  return test::model(TestGraph{.inputs = {value("x")}, .outputs = {value("x")}, .initializers = {weight}});
}

/// A folder with model/m.onnx and model/weights.bin (four floats), and a secret outside model/.
class ExternalData : public testing::Test {
 protected:
  void SetUp() override {
    top_ = fs::temp_directory_path() / ("overt_external_" + std::to_string(::getpid()));
    fs::remove_all(top_);
    fs::create_directories(top_ / "model");
    write(top_ / "model" / "weights.bin", raw<float>({1, 2, 3, 4}));
    write(top_ / "secret.bin", raw<float>({9, 9, 9, 9}));
  }
  void TearDown() override { fs::remove_all(top_); }

  static void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }
  fs::path write_model(const Message& message) const {
    write(top_ / "model" / "m.onnx", message.bytes());
    return top_ / "model" / "m.onnx";
  }
  Model load_file(const Message& message, const LoadLimits& limits = {}) const {
    return load_onnx(write_model(message), limits);
  }
  std::string file_outcome(const Message& message, const LoadLimits& limits = {}) const {
    return test::outcome([&] { load_file(message, limits); });
  }
  std::string weight_outcome(const Entries& entries, const std::vector<int64_t>& dims = {2}) const {
    return file_outcome(with_weight(external_tensor("w", 1, dims, entries)));
  }

  fs::path top_;
};

std::vector<float> weight_of(const Model& model) {
  const auto values = model.graph.value(model.graph.find_value("w")).constant.values<float>();
  return {values.begin(), values.end()};
}

TEST_F(ExternalData, is_a_view_into_the_file_beside_the_model) {
  const Entries entries = {{"location", "weights.bin"}, {"offset", "4"}, {"length", "8"}, {"checksum", "ignored"}};
  const Model model = load_file(with_weight(external_tensor("w", 1, {2}, entries)));
  EXPECT_THAT(weight_of(model), ElementsAre(2, 3));
  EXPECT_THAT(model.external_files, ElementsAre("weights.bin"));
  const auto address = reinterpret_cast<uintptr_t>(model.graph.value(model.graph.find_value("w")).constant.data());
  EXPECT_EQ(address % 4096, 4u);  // a page of the mapping, not a copy
}

TEST_F(ExternalData, length_and_offset_may_be_left_out) {
  EXPECT_THAT(weight_of(load_file(with_weight(external_tensor("w", 1, {4}, {{"location", "weights.bin"}})))),
              ElementsAre(1, 2, 3, 4));
}

TEST_F(ExternalData, misaligned_data_is_copied) {
  write(top_ / "model" / "odd.bin", "x" + raw<float>({5, 6}));
  const Model model =
      load_file(with_weight(external_tensor("w", 1, {2}, {{"location", "odd.bin"}, {"offset", "1"}})));
  EXPECT_THAT(weight_of(model), ElementsAre(5, 6));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(model.graph.value(model.graph.find_value("w")).constant.data()) % 4, 0u);
}

TEST_F(ExternalData, comes_from_the_directory_given_with_bytes) {
  const std::string bytes = with_weight(external_tensor("w", 1, {4}, {{"location", "weights.bin"}})).bytes();
  const auto view = std::as_bytes(std::span(bytes.data(), bytes.size()));
  EXPECT_THAT(weight_of(load_onnx(view, nullptr, top_ / "model")), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(test::outcome([&] { load_onnx(view, nullptr, std::nullopt); }),
              HasSubstr("the model was given as bytes without a directory"));
}

TEST_F(ExternalData, locations_that_lead_out_are_refused) {
  EXPECT_THAT(weight_outcome({{"location", "../secret.bin"}}),
              HasSubstr("invalid_model: m.onnx: the file name '../secret.bin' has '..' in it"));
  EXPECT_THAT(weight_outcome({{"location", "a/../../secret.bin"}}), HasSubstr("has '..' in it"));
  EXPECT_THAT(weight_outcome({{"location", (top_ / "secret.bin").string()}}), HasSubstr("is absolute"));
  EXPECT_THAT(weight_outcome({{"location", ""}}), HasSubstr("is empty"));
  EXPECT_THAT(weight_outcome({{"location", std::string("weights.bin\0", 12)}}), HasSubstr("has a NUL in it"));
  EXPECT_THAT(weight_outcome({{"location", "..\\secret.bin"}}), HasSubstr("has a backslash"));
  EXPECT_THAT(weight_outcome({{"offset", "0"}}), HasSubstr("external_data names no location"));
  EXPECT_THAT(weight_outcome({{"location", "*/_ORT_MEM_ADDR_/*"}, {"offset", "4096"}}),
              HasSubstr("names nothing below"));
  EXPECT_THAT(weight_outcome({{"location", "weights.bin"}, {"location", "other.bin"}}),
              HasSubstr("has location twice"));
}

TEST_F(ExternalData, links_and_special_files_are_refused) {
  fs::create_symlink(top_ / "secret.bin", top_ / "model" / "link.bin");
  fs::create_directory_symlink(top_, top_ / "model" / "up");
  fs::create_hard_link(top_ / "secret.bin", top_ / "model" / "hard.bin");
  ASSERT_EQ(::mkfifo((top_ / "model" / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(weight_outcome({{"location", "link.bin"}}), HasSubstr("symbolic link"));
  EXPECT_THAT(weight_outcome({{"location", "up/secret.bin"}}), HasSubstr("symbolic link"));
  EXPECT_THAT(weight_outcome({{"location", "hard.bin"}}), HasSubstr("has 2 hard links"));
  EXPECT_THAT(weight_outcome({{"location", "pipe"}}), HasSubstr("no regular file"));
  EXPECT_THAT(weight_outcome({{"location", "."}}), HasSubstr("no regular file"));
  LoadLimits limits;
  limits.allow_hard_links = true;
  EXPECT_EQ(file_outcome(with_weight(external_tensor("w", 1, {2}, {{"location", "hard.bin"}})), limits), "loaded");
}

TEST_F(ExternalData, content_stores_may_link_below_a_root) {
  fs::create_directories(top_ / "store" / "blobs");
  fs::create_directories(top_ / "store" / "snapshots" / "v1");
  write(top_ / "store" / "blobs" / "abc", raw<float>({7, 8}));
  fs::create_symlink("../../blobs/abc", top_ / "store" / "snapshots" / "v1" / "data.bin");
  fs::create_symlink("../../../secret.bin", top_ / "store" / "snapshots" / "v1" / "out.bin");
  const auto load_from = [&](const std::string& location, const fs::path& root) {
    const fs::path path = top_ / "store" / "snapshots" / "v1" / "m.onnx";
    write(path, with_weight(external_tensor("w", 1, {2}, {{"location", location}})).bytes());
    LoadLimits limits;
    limits.symlink_root = root;
    return load_onnx(path, limits);
  };
  EXPECT_THAT(weight_of(load_from("data.bin", top_ / "store")), ElementsAre(7, 8));
  EXPECT_THAT(test::outcome([&] { load_from("data.bin", ""); }), HasSubstr("symbolic link"));
  EXPECT_THAT(test::outcome([&] { load_from("out.bin", top_ / "store"); }), HasSubstr("leads out of"));
  EXPECT_THAT(test::outcome([&] { load_from("../v1/data.bin", top_ / "store"); }), HasSubstr("has '..' in it"));
  EXPECT_THAT(test::outcome([&] { load_from("/etc/passwd", top_ / "store"); }), HasSubstr("is absolute"));
  EXPECT_THAT(test::outcome([&] { load_from("data.bin", top_ / "model"); }),
              HasSubstr("invalid_argument: m.onnx: the root for symbolic links"));
}

TEST_F(ExternalData, places_outside_the_file_are_refused_without_allocating) {
  const int64_t before = test::peak_memory();
  const auto at = [&](const std::string& offset, const std::string& length, const std::vector<int64_t>& dims) {
    return weight_outcome({{"location", "weights.bin"}, {"offset", offset}, {"length", length}}, dims);
  };
  EXPECT_THAT(at("-4", "8", {2}), HasSubstr("tensor 'w': external_data offset is '-4', expected a decimal number"));
  EXPECT_THAT(at("0x4", "8", {2}), HasSubstr("offset is '0x4'"));
  EXPECT_THAT(at("0", "8 ", {2}), HasSubstr("length is '8 '"));
  EXPECT_THAT(at("99999999999999999999", "8", {2}), HasSubstr("offset is '99999999999999999999'"));
  EXPECT_THAT(at("12", "8", {2}), HasSubstr("tensor 'w' needs 8 bytes at offset 12 of 'weights.bin', which has 16"));
  EXPECT_THAT(at("18446744073709551612", "8", {2}), HasSubstr("needs 8 bytes at offset 18446744073709551612"));
  EXPECT_THAT(at("0", "12", {2}), HasSubstr("external_data length is 12, expected 8 from its type and shape"));
  EXPECT_THAT(at("0", "1152921504606846976", {2}), HasSubstr("length is 1152921504606846976, expected 8"));
  EXPECT_THAT(at("0", "576460752303423488", {int64_t{1} << 57}), HasSubstr("needs 576460752303423488 bytes"));
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

TEST_F(ExternalData, every_tensor_of_a_model_goes_through_the_same_door) {
  const Message bad = external_tensor("w", 1, {2}, {{"location", "../secret.bin"}});
  const Message one_index = test::tensor_header("", 7, {1}).packed(7, {0});
  const Message bad_indices = external_tensor("", 7, {2}, {{"location", "../secret.bin"}});
  const auto graph_of = [](const Message& nodes_last) {
    return test::model(TestGraph{.inputs = {value("x")}, .outputs = {value("y")}, .nodes = {nodes_last}});
  };
  const auto constant = [&](const Message& attribute) { return graph_of(node("Constant", {}, {"y"}, {attribute})); };
  const Message in_subgraph =
      TestGraph{.outputs = {value("z")}, .nodes = {node("Relu", {"x"}, {"z"})}, .initializers = {bad}};
  const Message in_function =
      test::function("F", {"a"}, {"b"}, {node("Constant", {}, {"b"}, {test::tensor_attribute("value", bad)})});
  const std::vector<std::pair<const char*, Message>> cases = {
      {"initializer", with_weight(bad)},
      {"sparse values", test::model(TestGraph{.inputs = {value("x")},
                                              .outputs = {value("x")},
                                              .sparse_initializers = {test::sparse_tensor(bad, one_index, {4})}})},
      {"sparse indices",
       test::model(TestGraph{.inputs = {value("x")},
                             .outputs = {value("x")},
                             .sparse_initializers = {test::sparse_tensor(
                                 test::raw_tensor("w", 1, {2}, raw<float>({1, 2})), bad_indices, {4})}})},
      {"value", constant(test::tensor_attribute("value", bad))},
      {"sparse_value",
       constant(test::attribute("sparse_value", 11).add(22, test::sparse_tensor(bad, one_index, {4})))},
      {"tensors", constant(test::attribute("values", 9).add(10, bad))},
      {"sparse_tensors", constant(test::attribute("v", 12).add(23, test::sparse_tensor(bad, one_index, {4})))},
      {"subgraph", graph_of(node("If", {"x"}, {"y"}, {graph_attribute("then_branch", in_subgraph)}))},
      {"function", test::x_to_y({node("F", {"x"}, {"y"}, {}, "local")}, {in_function})},
  };
  for (const auto& [what, message] : cases) {
    EXPECT_THAT(file_outcome(message), AllOf(StartsWith("invalid_model: "), HasSubstr("has '..' in it"))) << what;
    EXPECT_THAT(test::load_outcome(message), HasSubstr("given as bytes without a directory")) << what;
  }
}

}  // namespace
}  // namespace overt
