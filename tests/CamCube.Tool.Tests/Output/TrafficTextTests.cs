using System.Text.Json;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Output;

public sealed class TrafficTextTests
{
    private static readonly ServiceAnswer[] Messengers =
    [
        Service(
            "messenger",
            new("streams_opened", "{stream}", null, 3),
            new("streams_open", "{stream}", null, 2),
            new("stream_connections", "{connection}", null, 1),
            new("stream_credit_granted", "By", null, 65_536),
            new("stream_memory_held", "By", null, 1 << 20),
            new("stream_path_packets", "{packet}", "-z", 40),
            new("stream_path_bytes", "By", "-z", 1_000_000),
            new("stream_path_window", "{packet}", "-z", 12),
            new("stream_path_round_trip", "us", "-z", 90),
            new("stream_path_packets", "{packet}", "+x", 2),
            new("stream_path_bytes", "By", "+x", 500),
            new("stream_path_window", "{packet}", "local", 4),
            new("endpoints", "{endpoint}", null, 2),
            new("received", "{message}", null, 1_005),
            new("dropped", "{message}", null, 1),
            new("endpoint.windows", "{window}", null, 3) { Label = "endpoint", Of = "a" },
            new("endpoint.windows", "{window}", null, 4) { Label = "endpoint", Of = "(others)" }
        ),
        Service(
            "messenger",
            new("streams_accepted", "{stream}", null, 1),
            new("stream_path_packets", "{packet}", "-z", 1),
            new("stream_path_lost", "{packet}", "-z", 5),
            new("stream_path_marked", "{packet}", "-z", 6),
            new("stream_path_round_trip", "us", "-z", 120),
            new("endpoints", "{endpoint}", null, 1)
        ),
    ];

    [Fact]
    public void Streams_are_summed_by_service_and_by_link()
    {
        HostStreams streams = HostStreams.Of(Messengers)!;
        Assert.Equal(new HostStreams("messenger", 2, 2, 1, 1_000_500, 5, 6, 65_536, 1 << 20, streams.Paths), streams);
        Assert.Equal(
            [new HostStreamPath("+x", 2, 500, 0, 0, 0, 0), new HostStreamPath("-z", 41, 1_000_000, 5, 6, 12, 120)],
            streams.Paths
        );
        Assert.Null(HostStreams.Of([Service("cache", new CounterAnswer("streams_opened", "{stream}", null, 0))]));
    }

    [Fact]
    public void Both_are_told_in_text_and_in_the_status()
    {
        var traffic = new HostTraffic([HostStreams.Of(Messengers)!], HostMessenger.Of(Messengers));
        Assert.Equal(new HostMessenger(2, 3, 1_005, 1, 7), traffic.Messenger);
        var output = new StringWriter { NewLine = "\n" };
        TrafficText.Show(new Report(output, 120), traffic);
        string text = output.ToString();
        Assert.Contains(
            "| messenger  |    2 |           1 |  1,000,500 |            5 |      6 | 64.0 KiB |",
            text,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "messenger: 3 endpoints, 1,005 messages received, 1 dropped, 7 windows posted\n",
            text,
            StringComparison.Ordinal
        );
        JsonElement json = JsonDocument.Parse(traffic.AddTo("{\"servers\":[]}")).RootElement;
        Assert.Equal(
            [
                "service",
                "servers",
                "open",
                "connections",
                "bytes",
                "lost",
                "marked",
                "creditGranted",
                "memoryHeld",
                "paths",
            ],
            json.GetProperty("streams")[0].EnumerateObject().Select(property => property.Name)
        );
        Assert.Equal(
            """{"servers":2,"endpoints":3,"received":1005,"dropped":1,"windows":7}""",
            json.GetProperty("messenger").GetRawText()
        );
    }

    [Fact]
    public void Where_there_are_none_nothing_is_said()
    {
        var output = new StringWriter();
        TrafficText.Show(new Report(output, 120), new HostTraffic([], null));
        Assert.Equal("", output.ToString());
        Assert.Equal("""{"streams":[]}""", new HostTraffic([], null).AddTo("{}"));
    }

    private static ServiceAnswer Service(string name, params CounterAnswer[] counters) =>
        new("0x0112", name, "running", 0, 0, 0, 0, 0, 0, counters);
}
