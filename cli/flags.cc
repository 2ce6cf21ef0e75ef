#include "flags.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "errors.h"
#include "overt/session.h"
#include "overt/text.h"

namespace overt::cli {

void one_of(CLI::Option* option, std::vector<std::string> words) {
  std::string shape;
  for (const std::string& word : words) shape += (shape.empty() ? "" : "|") + word;
  option->option_text(shape);
  const auto check = [words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    return fmt::format("'{}' is not known here{}", escape_name(text), suggestion(text, words));
  };
  option->check(CLI::Validator(check, ""));
}

void add_common_flags(CLI::App& app, CommonFlags& flags) {
  app.add_flag("--json", flags.json, "print one JSON document instead of text");
  one_of(app.add_option("--log-level", flags.log_level, "what is written to standard error besides errors [info]"),
         {"debug", "info", "warning", "error"});
}

void add_model(CLI::App& app, std::string& model) {
  app.add_option("model", model, "ONNX file")->required()->option_text("MODEL");
}

void add_file_flags(CLI::App& app, SessionFlags& flags) {
  app.add_flag("--allow-symlinks", flags.allow_symlinks, "read external data files behind symbolic links");
  app.add_flag("--allow-hard-links", flags.allow_hard_links, "read external data files that have several names");
}

void add_session_flags(CLI::App& app, SessionFlags& flags) {
  app.add_option("--provider", flags.providers,
                 "where to run, NAME or NAME:DEVICE; the first is a requirement, further ones may take what it "
                 "refuses [cpu]")
      ->allow_extra_args(false)
      ->option_text("P ...");
  one_of(app.add_option("--fallback", flags.fallback, "may further providers take nodes? [allow]"),
         {"allow", "error"});
  one_of(app.add_option("--precision", flags.precision, "of convolutions and matrix products [fp32]"),
         {"fp32", "tf32", "fp16", "bf16"});
  app.add_option("--threads", flags.threads, "0: the CPUs that this process may use [0]")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  app.add_option("--memory-limit", flags.memory_limit, "all memory on the first provider's device: 512M, 2G")
      ->option_text("BYTES");
  one_of(app.add_option("--passes", flags.passes, "off: run the graph as the file has it [on]"), {"on", "off"});
  app.add_option("--disable-pass", flags.disabled_passes, "a pass that shall not run; 'overt explain' lists them")
      ->allow_extra_args(false)
      ->option_text("NAME ...");
  one_of(app.add_option("--onednn", flags.onednn, "cpu: off runs everything on Overt's own kernels [on]"),
         {"on", "off"});
  app.add_option("--onednn-library", flags.onednn_library, "cpu: the libdnnl to open instead of the one found")
      ->option_text("FILE");
  add_file_flags(app, flags);
}

int64_t parse_whole(std::string_view text, int64_t least, std::string_view option) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    fail_usage("{}: '{}' is not a whole number of {} or more", option, escape_name(text), least);
  }
  return value;
}

std::vector<float> parse_floats(std::string_view text, size_t count, std::string_view option) {
  std::vector<float> values;
  for (std::string_view rest = text; values.size() <= count;) {
    const std::string_view word = rest.substr(0, rest.find(','));
    float value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) break;
    values.push_back(value);
    if (word.size() == rest.size()) {
      if (values.size() == count) return values;
      break;
    }
    rest.remove_prefix(word.size() + 1);
  }
  fail_usage("{}: '{}' is not {} numbers with commas between, such as 0.485,0.456,0.406", option, escape_name(text),
             count);
}

int64_t parse_bytes(const std::string& text, std::string_view option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  if (unit.ends_with("IB")) unit.resize(unit.size() - 2);
  constexpr std::string_view kUnits = "KMGT";
  const size_t power = unit.empty() ? 0 : kUnits.find(unit) + 1;
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && power == 0) || !(value > 0) || value > 1e15) {
    fail_usage("{}: '{}' is no size; give bytes or a number with K, M, G or T behind it, such as 512M", option,
               escape_name(text));
  }
  return std::llround(value * std::pow(1024.0, static_cast<double>(power)));
}

std::pair<std::string, std::string> parse_assignment(const std::string& text, std::string_view option) {
  const size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    fail_usage("{}: '{}' is not of the form NAME=VALUE", option, escape_name(text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

ProviderOptions parse_provider(const std::string& text) {
  ProviderOptions options;
  const size_t colon = text.find(':');
  options.name = text.substr(0, colon);
  const std::vector<std::string> known = provider_names();
  if (std::ranges::find(known, options.name) == known.end()) {
    fail_usage("--provider: this build has no provider '{}'{}", escape_name(options.name),
               suggestion(options.name, known));
  }
  if (colon != std::string::npos) {
    const int64_t device = parse_whole(text.substr(colon + 1), 0, "--provider");
    if (device > 1023) fail_usage("--provider: device {} is over 1023; give the number of a device", device);
    options.device = static_cast<int>(device);
  }
  return options;
}

Precision parse_precision(std::string_view name) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16}) {
    if (precision_name(precision) == name) return precision;
  }
  fail_usage("--precision: '{}' is not known; give fp32, tf32, fp16 or bf16", escape_name(name));
}

LogLevel parse_log_level(std::string_view name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "warning") return LogLevel::warning;
  return name == "error" ? LogLevel::error : LogLevel::info;
}

SessionOptions session_options(const SessionFlags& flags, LogCallback log) {
  SessionOptions options;
  if (!flags.providers.empty()) {
    options.providers.clear();
    for (const std::string& text : flags.providers) options.providers.push_back(parse_provider(text));
  }
  if (!flags.onednn.empty() || !flags.onednn_library.empty()) {
    const auto cpu = std::ranges::find(options.providers, "cpu", &ProviderOptions::name);
    if (cpu == options.providers.end()) {
      fail_usage("--onednn and --onednn-library belong to the provider cpu; add --provider cpu or leave them out");
    }
    cpu->use_onednn = flags.onednn != "off";
    if (!flags.onednn_library.empty()) cpu->onednn = flags.onednn_library;
  }
  options.fallback = flags.fallback == "error" ? Fallback::error : Fallback::allow;
  options.precision = parse_precision(flags.precision);
  options.threads = flags.threads;
  if (!flags.memory_limit.empty()) options.memory_limit = parse_bytes(flags.memory_limit, "--memory-limit");
  options.optimize = flags.passes == "on";
  if (!options.optimize && !flags.disabled_passes.empty()) {
    fail_usage("--disable-pass has no meaning with --passes off; leave one of them out");
  }
  options.disabled_passes = flags.disabled_passes;
  options.limits.allow_symlinks = flags.allow_symlinks;
  options.limits.allow_hard_links = flags.allow_hard_links;
  options.log = std::move(log);
  return options;
}

}  // namespace overt::cli
