#ifndef OVERT_PROVIDERS_CPU_ONEDNN_ONEDNN_TEST_SUPPORT_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_ONEDNN_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "providers/cpu/kernel.h"
#include "providers/cpu/onednn/library.h"
#include "providers/cpu/onednn/reorder.h"

namespace overt::cpu::onednn {

/// Tests of one file with oneDNN open; skipped, with the reason, where the build has none.
class OneDnn : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::filesystem::path> folders = {OVERT_ONEDNN_LIBRARY_FOLDER};
    OpenedLibrary opened = open_library_from(folders, 2);
    if (opened.library == nullptr) GTEST_SKIP() << opened.refusal;
    library_ = std::move(opened.library);
  }

  const Library& library() const { return *library_; }
  Layout blocks(Shape shape) const { return blocked(std::move(shape), library_->channel_block()); }

  /// Runs a kernel once; the scratch memory is added.
  static void run(const MadeKernel& made, std::vector<void*> pointers) {
    ASSERT_NE(made.kernel, nullptr) << made.refusal;
    std::vector<char> scratch(static_cast<size_t>(made.kernel->scratch_bytes()));
    pointers.push_back(scratch.data());
    made.kernel->instantiate()->run(pointers);
  }

  std::vector<float> to_layout(std::vector<float> values, const Layout& layout) const {
    std::vector<float> result(static_cast<size_t>(layout.elements()), -1.0f);
    run(make_reorder(library(), plain(layout.shape), layout), {values.data(), result.data()});
    return result;
  }
  std::vector<float> from_layout(std::vector<float> values, const Layout& layout) const {
    std::vector<float> result(static_cast<size_t>(layout.shape.elements()), -1.0f);
    run(make_reorder(library(), layout, plain(layout.shape)), {values.data(), result.data()});
    return result;
  }

 private:
  std::unique_ptr<Library> library_;
};

/// Values in [-1, 1), the same for the same seed.
inline std::vector<float> random_values(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = uniform(engine);
  return values;
}

inline Tensor random_tensor(Shape shape, unsigned seed) {
  Tensor tensor(DataType::float32, shape);
  std::ranges::copy(random_values(shape.elements(), seed), tensor.mutable_values<float>().begin());
  return tensor;
}

inline void expect_near(std::span<const float> found, std::span<const float> expected, float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_ONEDNN_TEST_SUPPORT_H_
