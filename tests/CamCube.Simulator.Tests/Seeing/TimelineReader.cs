using System.Text.Json;

namespace CamCube.Simulator.Tests.Seeing;

/// <summary>The events of a timeline's file, which must keep the rules of the trace event format.</summary>
internal static class TimelineReader
{
    // Every event has what its phase needs; threads and processes are named before they are used; slices of a thread do
    // not overlap; a span begins once and ends at most once.
    public static JsonElement[] Valid(byte[] file)
    {
        JsonElement root = JsonDocument.Parse(file).RootElement;
        Assert.Equal("ns", Text(root, "displayTimeUnit"));
        JsonElement[] events = [.. root.GetProperty("traceEvents").EnumerateArray()];
        var threads = new HashSet<(double, double)>();
        var processes = new HashSet<double>();
        var ends = new Dictionary<double, double>();
        var spans = new Dictionary<string, string>();
        double last = double.NegativeInfinity;
        foreach (JsonElement e in events)
        {
            (double pid, double tid) = (Number(e, "pid"), Number(e, "tid"));
            Assert.True(pid >= 1 && tid >= 1);
            if (Text(e, "ph") == "M")
            {
                Assert.Contains(
                    Name(e),
                    (string[])["process_name", "process_sort_index", "thread_name", "thread_sort_index"]
                );
                _ = Name(e)!.StartsWith('p') ? processes.Add(pid) : threads.Add((pid, tid));
                continue;
            }

            Assert.Contains(pid, processes);
            double ts = Number(e, "ts");
            Assert.True(ts >= last, $"{ts} after {last}");
            last = ts;
            Assert.False(string.IsNullOrEmpty(Name(e)));
            Assert.False(string.IsNullOrEmpty(Text(e, "cat")));
            switch (Text(e, "ph"))
            {
                case "X":
                    Assert.Contains((pid, tid), threads);
                    Assert.True(ts >= ends.GetValueOrDefault(tid) - 0.0005, $"slices of thread {tid} overlap at {ts}");
                    ends[tid] = ts + Number(e, "dur");
                    break;
                case "b":
                    Assert.True(spans.TryAdd(Text(e, "id")!, Name(e)!));
                    break;
                case "e":
                    Assert.Equal(Name(e), spans[Text(e, "id")!]);
                    spans[Text(e, "id")!] = "ended";
                    break;
                default:
                    Assert.Equal("i", Text(e, "ph"));
                    Assert.Contains(Text(e, "s"), (string[])["t", "p", "g"]);
                    Assert.True(Text(e, "s") != "t" || threads.Contains((pid, tid)));
                    break;
            }
        }

        // A thread's number belongs to one process only.
        Assert.Equal(threads.Count, threads.Select(thread => thread.Item2).Distinct().Count());
        return events;
    }

    /// <summary>Names that are given to processes or threads.</summary>
    public static IEnumerable<string> Named(JsonElement[] events, string what) =>
        events.Where(e => Name(e) == what).Select(e => e.GetProperty("args").GetProperty("name").GetString()!);

    public static string? Name(JsonElement e) => Text(e, "name");

    public static string? Argument(JsonElement e, string name) => Text(e.GetProperty("args"), name);

    public static string? Text(JsonElement e, string name) =>
        e.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    public static double Number(JsonElement e, string name) => e.GetProperty(name).GetDouble();
}
