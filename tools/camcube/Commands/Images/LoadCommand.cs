using System.CommandLine;
using System.Globalization;
using CamCube.Experiments.Images;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary><c>camcube images load</c>: clients that put and read pictures, and how long that takes.</summary>
internal static class LoadCommand
{
    // Of one more a worker would not have enough.
    private const long MostMean = 4_000_000;
    private const long LeastMean = 2_000;

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<Duration> time = Values.Time(
            "--for",
            "How long at most",
            TimeSpan.FromSeconds(30),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromHours(1)
        );
        Option<int> clients = Values.Whole("--clients", "Clients, each with a request at a time", 15, 1, 10_000);
        Option<int> requests = Values.Whole("--requests", "Requests after which it ends; 0: none", 0, 0, 1_000_000_000);
        Option<int> pictures = Values.Whole("--pictures", "Different pictures", MadePictures.Count, 1, 10_000);
        Option<ByteCount> mean = new("--mean")
        {
            Description = "Bytes of a picture in the mean; they have a third to five thirds of it (2kB to 4MB)",
            HelpName = "SIZE",
            DefaultValueFactory = _ => new ByteCount(MadePictures.MeanBytes),
            CustomParser = Values.Of<ByteCount>(
                (string text, out ByteCount count) =>
                    ByteCount.TryParse(text, out count) && count.Bytes is >= LeastMean and <= MostMean,
                "must be a number of bytes, as in 1.47MB, from 2kB to 4MB"
            ),
        };
        Option<int> images = Values.Whole("--images", "Images at once", MadePictures.Count, 1, 1_000_000);
        Option<int> puts = Values.Whole("--puts", "Of 100 requests those that store; the others read", 100, 1, 100);
        Option<string> variant = new("--variant")
        {
            Description = "The variant that is read; originals if not given",
            HelpName = "NAME",
        };
        Option<bool> keep = new("--keep") { Description = "Leaves the images there" };
        Option<ulong> seed = Values.Seed();
        Option<string[]> frontEnds = new("--front-end")
        {
            Description = "A front end, as in http://10.0.0.5:8300; as often as wanted. Without it all of the host",
            HelpName = "URL",
        };
        Option<string> key = ImageOptions.Key();
        var command = new Command("load", "Has clients put and read pictures, and prints rates and how long it took.")
        {
            time,
            requests,
            clients,
            pictures,
            mean,
            images,
            puts,
            variant,
            keep,
            seed,
            frontEnds,
            key,
        };
        examples[command] = """
            camcube images load --clients 150
            camcube images load --puts 5 --variant thumb --for 2min --json
            camcube images load --front-end http://10.0.0.1:8300 --front-end http://10.0.0.2:8301
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                if (parsed.GetValue(variant) is not null && parsed.GetValue(puts) == 100)
                {
                    // It would be read by nobody, whatever it is called.
                    throw new ToolException(
                        ExitCode.Usage,
                        "--variant is of reads, and with --puts 100 there are none: give fewer --puts."
                    );
                }

                IReadOnlyList<Uri> servers = parsed.GetValue(frontEnds) is { Length: > 0 } given
                    ? [.. given.Select(ImageOptions.RootOf)]
                    : await FrontEndFinder.FindAllAsync(
                        parsed.GetRequiredValue(common.Host),
                        ImagesClient.FrontEnd,
                        ImagesClient.HasNone,
                        cancel
                    );
                var options = new ImagesLoadOptions
                {
                    Time = parsed.GetValue(time).Value,
                    Requests = parsed.GetValue(requests),
                    Clients = parsed.GetValue(clients),
                    Pictures = parsed.GetValue(pictures),
                    MeanBytes = (int)parsed.GetValue(mean).Bytes,
                    Images = parsed.GetValue(images),
                    Puts = parsed.GetValue(puts),
                    Variant = parsed.GetValue(variant),
                    Seed = parsed.GetValue(seed),
                    Keeps = parsed.GetValue(keep),
                };
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                var load = new ImagesLoad(servers, ImageOptions.ReadKey(parsed.GetValue(key)), options);
                ImagesLoadResult result = await load.RunAsync(
                    $"load-{DateTime.UtcNow.Ticks:x}",
                    done => progress.Show(() => $"{done:N0} requests"),
                    cancel
                );
                progress.Dispose();
                JsonOrText.Print(parsed, common, ToolJson.Of(result), report => Print(report, result));
                return result.Wrong > 0 ? ExitCode.Failed
                    : result.Puts.Count + result.Gets.Count == 0 ? ExitCode.Unavailable
                    : ExitCode.Ok;
            }
        );
        return command;
    }

    private static void Print(Report report, ImagesLoadResult result)
    {
        report.Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Clients} clients at {result.Servers} servers for {result.Seconds:0.0} s"
            )
        );
        Print(report, "put", result.Puts);
        Print(report, "get", result.Gets);
        if (result.Pending > 0)
        {
            report.Line($"{Report.Count(result.Pending)} puts without variants yet");
        }

        foreach ((string status, int count) in result.Failed)
        {
            report.Line($"{Report.Count(count)} requests ended with {status}");
        }

        if (result.Wrong > 0)
        {
            report.Line($"{Report.Count(result.Wrong)} reads brought something else than was put");
        }
    }

    private static void Print(Report report, string name, LoadTimes times)
    {
        if (times.Count > 0)
        {
            report.Line(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name} {times.Count:N0}, {times.PerSecond:0.0} per s, {times.BytesPerSecond / 1e6:0.0} MB/s; ms: "
                        + $"p50 {times.P50Ms:0.0}, p90 {times.P90Ms:0.0}, p99 {times.P99Ms:0.0}, "
                        + $"p99.9 {times.P999Ms:0.0}, longest {times.MaxMs:0.0}"
                )
            );
        }
    }
}
