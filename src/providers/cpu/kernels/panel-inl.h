// Included once for each instruction set that kernels are compiled for.
#if defined(OVERT_PROVIDERS_CPU_KERNELS_PANEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OVERT_PROVIDERS_CPU_KERNELS_PANEL_INL_H_
#undef OVERT_PROVIDERS_CPU_KERNELS_PANEL_INL_H_
#else
#define OVERT_PROVIDERS_CPU_KERNELS_PANEL_INL_H_
#endif

#include <hwy/highway.h>

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Channels in a group of a blocked layout, B: the lanes of a vector.
inline constexpr int64_t kBlock = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));

/// Pixels that a panel computes at once for two groups of outputs: with 32 registers 28 sums, two weights and room
/// for the broadcast pixel; with 16 registers 12 sums.
inline constexpr int kPanelPixels = kBlock >= 16 ? 14 : 6;

/// Where the operands of a panel lie. B = kBlock.
struct Panel {
  const float* x;   ///< pixels of the first input group, [pixels, B]
  int64_t x_group;  ///< floats from one input group to the next
  int64_t input_groups;
  const float* w;      ///< [input groups * B, outputs, B]: for each input channel the outputs' weights
  const float* bias;   ///< [outputs, B], where the sums begin
  const float* start;  ///< as y (may be y): added to the sums; null: nothing is
  float* y;            ///< pixels of the first output group, [pixels, B]
  int64_t y_group;     ///< floats from one output group to the next
};

/// y[o][p] = bias[o] + start[o][p] + sum over input channels c of x[c][p] * w[c][o], for `Outputs` groups of outputs
/// and as many pixels as indices are given. The sums stay in registers.
template <int Outputs, int... Pixel>
HWY_INLINE void multiply_panel(const Panel& panel, std::integer_sequence<int, Pixel...>) {
  constexpr int kPixels = sizeof...(Pixel);
  const hn::ScalableTag<float> d;
  using V = hn::Vec<hn::ScalableTag<float>>;
  V sums0[kPixels];
  V sums1[kPixels];
  const V bias0 = hn::LoadU(d, panel.bias);
  const V bias1 = Outputs == 2 ? hn::LoadU(d, panel.bias + kBlock) : bias0;
  ((sums0[Pixel] = bias0), ...);
  if constexpr (Outputs == 2) ((sums1[Pixel] = bias1), ...);
  if (panel.start != nullptr) {
    const float* const start = panel.start;
    ((sums0[Pixel] = hn::Add(sums0[Pixel], hn::LoadU(d, start + Pixel * kBlock))), ...);
    if constexpr (Outputs == 2) {
      ((sums1[Pixel] = hn::Add(sums1[Pixel], hn::LoadU(d, start + panel.y_group + Pixel * kBlock))), ...);
    }
  }
  const float* w = panel.w;
  const float* x = panel.x;
  for (int64_t group = 0; group < panel.input_groups; ++group, x += panel.x_group) {
    for (int64_t lane = 0; lane < kBlock; ++lane, w += Outputs * kBlock) {
      const float* const pixel = x + lane;
      const V w0 = hn::LoadU(d, w);
      if constexpr (Outputs == 2) {
        const V w1 = hn::LoadU(d, w + kBlock);
        const auto both = [&](int p) HWY_ATTR {
          const V value = hn::Set(d, pixel[p * kBlock]);
          sums0[p] = hn::MulAdd(value, w0, sums0[p]);
          sums1[p] = hn::MulAdd(value, w1, sums1[p]);
        };
        (both(Pixel), ...);
      } else {
        ((sums0[Pixel] = hn::MulAdd(hn::Set(d, pixel[Pixel * kBlock]), w0, sums0[Pixel])), ...);
      }
    }
  }
  (hn::StoreU(sums0[Pixel], d, panel.y + Pixel * kBlock), ...);
  if constexpr (Outputs == 2) (hn::StoreU(sums1[Pixel], d, panel.y + panel.y_group + Pixel * kBlock), ...);
}

template <int Outputs, int Pixels>
void multiply_panel_of(const Panel& panel) {
  multiply_panel<Outputs>(panel, std::make_integer_sequence<int, Pixels>());
}

/// The panel for a number of pixels, 1 to kPanelPixels.
template <int Outputs, int Pixels = kPanelPixels>
HWY_INLINE void multiply_pixels(const Panel& panel, int64_t pixels) {
  if (pixels == Pixels) return multiply_panel_of<Outputs, Pixels>(panel);
  if constexpr (Pixels > 1) multiply_pixels<Outputs, Pixels - 1>(panel, pixels);
}

/// multiply_panel for any number of pixels, in panels of nearly equal width.
template <int Outputs>
HWY_INLINE void multiply_row(Panel panel, int64_t pixels) {
  const int64_t panels = (pixels + kPanelPixels - 1) / kPanelPixels;
  const float* const x = panel.x;
  const float* const start = panel.start;
  float* const y = panel.y;
  for (int64_t i = 0; i < panels; ++i) {
    const int64_t first = pixels * i / panels;
    panel.x = x + first * kBlock;
    panel.y = y + first * kBlock;
    if (start != nullptr) panel.start = start + first * kBlock;
    multiply_pixels<Outputs>(panel, pixels * (i + 1) / panels - first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#endif  // OVERT_PROVIDERS_CPU_KERNELS_PANEL_INL_H_
