#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <optional>

#include "command.h"
#include "errors.h"
#include "flags.h"
#include "json.h"
#include "model_inputs.h"
#include "overt/text.h"
#include "peak_memory.h"
#include "text.h"

namespace overt::cli {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// What was measured. Times in milliseconds.
struct Measurement {
  double setup_ms = 0;
  double first_run_ms = 0;
  std::vector<double> runs_ms;  ///< sorted, at least one
  MemoryReport memory;
  int64_t peak_rss_bytes = 0;
  int64_t batch = 1;
  std::string provider;
  std::vector<KernelTime> kernels;  ///< of one run, slowest first; empty where it was not profiled

  /// The time that this share of the runs stayed below, 0 to 1.
  double at(double share) const {
    const auto position = static_cast<size_t>(static_cast<double>(runs_ms.size()) * share);
    return runs_ms[std::min(position, runs_ms.size() - 1)];
  }
  double throughput_per_s() const {
    double sum = 0;
    for (const double ms : runs_ms) sum += ms;
    return sum > 0 ? 1000.0 * static_cast<double>(batch) * static_cast<double>(runs_ms.size()) / sum : 0;
  }
};

class BenchCommand final : public Command {
 public:
  explicit BenchCommand(CLI::App* app) : Command(app) {
    add_model(*app, model_);
    app->add_option("--seconds", seconds_, "how long to measure; 0: open, run once and report [1]")
        ->check(CLI::Range(0.0, 86400.0))
        ->option_text("S");
    app->add_option("--batch", inputs_.batch, "the first length of each input, where the model leaves it open [1]")
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 31))
        ->option_text("N");
    app->add_option("--top", top_, "how many kernels are shown [10]")->check(CLI::Range(0, 10000))->option_text("N");
    add_input_flags(*app, inputs_);
    add_session_flags(*app, flags_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    const SessionOptions options = session_options(flags_, console.callback());
    Measurement found = measure(console, options);
    if (seconds_ > 0) found.kernels = profile(console, options);
    if (common_.json) {
      print_json(document(found));
    } else {
      fmt::print("{}", text(found));
    }
    return kExitOk;
  }

 private:
  Measurement measure(Console& console, const SessionOptions& options) const {
    Measurement found;
    std::optional<Progress> progress(std::in_place, console, "opening " + first_line(model_));
    Clock::time_point start = Clock::now();
    const Session session = Session::open(model_, options);
    found.setup_ms = ms_since(start);
    progress.reset();

    Binding binding = bind_inputs(session, options.log, found.batch);
    start = Clock::now();
    session.run(binding);
    found.first_run_ms = ms_since(start);
    found.runs_ms = {found.first_run_ms};
    if (seconds_ > 0) found.runs_ms = time_runs(console, session, binding);

    found.memory = session.memory();
    found.peak_rss_bytes = peak_resident_bytes();
    const auto counts = session.placement().nodes_by_provider();
    found.provider = options.providers.front().name;
    for (const auto& [provider, count] : counts) {
      if (provider != "planning" && !provider.starts_with(found.provider)) found.provider += "+" + provider;
    }
    return found;
  }

  /// The outputs stay unbound: the binding keeps their memory from run to run.
  Binding bind_inputs(const Session& session, const LogCallback& log, int64_t& batch) const {
    ModelInputs inputs(session.inputs(), inputs_, log);
    const std::vector<Tensor> tensors = inputs.tensors();
    Binding binding = session.bind();
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].empty()) binding.bind_input(session.inputs()[i].name, tensors[i]);
    }
    if (!tensors.empty() && tensors[0].shape().rank() > 0) batch = std::max<int64_t>(1, tensors[0].shape()[0]);
    return binding;
  }

  std::vector<double> time_runs(Console& console, const Session& session, Binding& binding) const {
    const Progress progress(console, fmt::format("measuring for {:g} s", seconds_));
    session.run(binding);  // warm-up: the first run made the plan, this one fills the caches
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    do {
      const Clock::time_point start = Clock::now();
      session.run(binding);
      times.push_back(ms_since(start));
    } while (ms_since(begin) < 1000.0 * seconds_);
    std::ranges::sort(times);
    return times;
  }

  /// Kernel times of a second session, as taking them slows the first one down.
  std::vector<KernelTime> profile(Console& console, SessionOptions options) const {
    const Progress progress(console, "timing kernels");
    options.profile = true;
    options.log = nullptr;
    const Session session = Session::open(model_, options);
    int64_t batch = 0;
    Binding binding = bind_inputs(session, options.log, batch);
    for (int i = 0; i < 3; ++i) session.run(binding);
    std::vector<KernelTime> kernels = session.profile();
    std::ranges::stable_sort(kernels, std::greater<>(), &KernelTime::ms);
    return kernels;
  }

  Json document(const Measurement& found) const {
    Json out = {
        {"model", model_},
        {"provider", found.provider},
        {"precision", flags_.precision},
        {"threads", flags_.threads},
        {"setup_ms", found.setup_ms},
        {"first_run_ms", found.first_run_ms},
        {"runs", found.runs_ms.size()},
        {"ms",
         {{"min", found.runs_ms.front()}, {"p50", found.at(0.5)}, {"p90", found.at(0.9)}, {"p99", found.at(0.99)}}},
        {"batch", found.batch},
        {"throughput_per_s", found.throughput_per_s()},
        {"memory", memory_json(found.memory)},
        {"kernels", Json::array()}};
    out["memory"]["peak_rss_bytes"] = found.peak_rss_bytes;
    for (const KernelTime& kernel : found.kernels) {
      out["kernels"].push_back(
          {{"node", kernel.node}, {"op", kernel.op}, {"kernel", kernel.kernel}, {"ms", kernel.ms}});
    }
    return out;
  }

  std::string text(const Measurement& found) const {
    Table table("l");
    table.row({"provider", fmt::format("{}, {}", found.provider, flags_.precision)});
    table.row({"opened in", ms_text(found.setup_ms)});
    table.row({"first run", ms_text(found.first_run_ms)});
    if (seconds_ > 0) {
      table.row({"runs", count_text(static_cast<int64_t>(found.runs_ms.size()))});
      table.row({"time", fmt::format("min {}, p50 {}, p90 {}, p99 {}", ms_text(found.runs_ms.front()),
                                     ms_text(found.at(0.5)), ms_text(found.at(0.9)), ms_text(found.at(0.99)))});
      table.row({"throughput", fmt::format("{:.1f} per second (batch {})", found.throughput_per_s(), found.batch)});
    }
    table.row({"memory", fmt::format("weights {}, activations {}, workspace {}; process at most {}",
                                     bytes_text(found.memory.weight_bytes), bytes_text(found.memory.activation_bytes),
                                     bytes_text(found.memory.workspace_bytes), bytes_text(found.peak_rss_bytes))});
    return table.to_string() + kernels_text(found.kernels);
  }

  std::string kernels_text(std::span<const KernelTime> kernels) const {
    if (kernels.empty() || top_ == 0) return {};
    double sum = 0;
    for (const KernelTime& kernel : kernels) sum += kernel.ms;
    Table table("rrl");
    for (const KernelTime& kernel : kernels.first(std::min(kernels.size(), static_cast<size_t>(top_)))) {
      table.row({ms_text(kernel.ms), fmt::format("{:.1f} %", sum > 0 ? 100 * kernel.ms / sum : 0.0),
                 escape_name(kernel.op), kernel.kernel, escape_name(kernel.node, 60)});
    }
    return fmt::format("slowest kernels of a run of {} in {}\n{}", ms_text(sum),
                       plural(static_cast<int64_t>(kernels.size()), "kernel"), table.to_string(2));
  }

  std::string model_;
  double seconds_ = 1;
  int top_ = 10;
  InputFlags inputs_;
  SessionFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_bench_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", "how long a model takes, its memory and its slowest kernels");
  app->footer(
      "Examples:\n"
      "  overt bench model.onnx --threads 2\n"
      "  overt bench model.onnx --batch 8 --seconds 5 --precision bf16 --json");
  return std::make_unique<BenchCommand>(app);
}

}  // namespace overt::cli
