#include <overt/session.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const overt::Session session = overt::Session::open(argv[1]);
  const auto x = overt::Tensor::of<float>({3}, {-1.0f, 0.5f, 2.0f});
  const auto outputs = session.run(std::vector<overt::Tensor>{x});
  for (const float value : outputs[0].values<float>()) std::printf("%g ", value);
  std::printf("%s\n", session.placement().summary().c_str());
}
