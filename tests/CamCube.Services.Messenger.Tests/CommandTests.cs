using System.Text.Json;
using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>The commands: endpoints of the cube, and calls between servers.</summary>
public sealed class CommandTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void Endpoints_of_all_servers_are_listed_by_name_also_when_they_are_more_than_fit_into_a_packet()
    {
        using var cube = new MessengerCube(3, 1, 1, hasOwnEndpoints: true);
        cube.Cube.Advance(Second);
        for (int i = 0; i < 300; i++)
        {
            cube.Open(B, $"endpoint with a name of some length {i:d3}", new EndpointOptions { ReceiveBuffers = 1 });
        }

        using IEndpoint from = cube.Open(A, "from");
        EndpointId busy = EndpointId.OfName("endpoint with a name of some length 007");
        from.TrySend(busy, 0, "x"u8);
        cube.Cube.Advance(Second / 10);
        from.TrySend(busy, 0, "x"u8);
        cube.Cube.Advance(Second / 10);
        uint term = cube[B].List().Single(e => e.Id == busy).Term;
        JsonElement all = Run(cube, "endpoints");
        Assert.Equal(304, all.GetArrayLength());
        string[] names = [.. all.EnumerateArray().Select(e => e.GetProperty("name").GetString()!)];
        Assert.Equal(names.Order(StringComparer.Ordinal), names);
        Assert.Contains("messenger@2,0,0", names);
        JsonElement row = all.EnumerateArray()
            .Single(e => e.GetProperty("name").GetString()!.EndsWith("007", StringComparison.Ordinal));
        Assert.Equal(
            $"{busy} 1,0,0 owned {term} 1 1 0",
            $"{row.GetProperty("id")} {row.GetProperty("owner")} {row.GetProperty("state")} {row.GetProperty("term")} "
                + $"{row.GetProperty("received")} {row.GetProperty("dropped")} {row.GetProperty("windows")}"
        );
        Assert.Equal(2, Run(cube, "endpoints", ("of", "server")).GetArrayLength());
    }

    [Fact]
    public void Endpoints_are_counted_by_name_up_to_so_many_and_forgotten_when_they_close()
    {
        using var cube = new MessengerCube(2, 1, 1, new MessengerOptions { CountedEndpoints = 3 });
        IEndpoint[] endpoints =
        [
            .. Enumerable
                .Range(0, 200)
                .Select(i => cube.Open(B, $"endpoint {i}", new EndpointOptions { ReceiveBuffers = 1 })),
        ];
        using IEndpoint from = cube.Open(A, "from");
        for (int i = 0; i < 3 * endpoints.Length; i++)
        {
            from.TrySend(endpoints[i % endpoints.Length].Id, 0, "x"u8);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Window window = new(new byte[100]);
        Assert.Equal(WindowPost.Ok, endpoints[1].PostWindow(window));
        Assert.Equal(["endpoint 0 1", "endpoint 1 1", "endpoint 2 1", "(others) 197"], Told("endpoint.received"));
        Assert.Equal(["endpoint 0 2", "endpoint 1 2", "endpoint 2 2", "(others) 394"], Told("endpoint.dropped"));
        Assert.Equal(["endpoint 0 0", "endpoint 1 1", "endpoint 2 0", "(others) 0"], Told("endpoint.windows"));
        Assert.True(endpoints[1].Withdraw(window));
        endpoints[0].Dispose();
        Assert.Equal(["endpoint 1 0", "endpoint 2 0", "endpoint 3 0", "(others) 0"], Told("endpoint.windows"));
        foreach (IEndpoint endpoint in endpoints)
        {
            endpoint.Dispose();
        }

        Assert.Empty(Told("endpoint.received"));

        string[] Told(string counter) =>
            [
                .. cube.Cube[B]
                    .Status.Services.Single(service => service.Name == "messenger")
                    .Counters.Where(value => value.Name == counter && value.Label == "endpoint")
                    .Select(value => $"{value.Of} {value.Value}"),
            ];
    }

    [Theory]
    [InlineData("56", "false")]
    [InlineData("8000", "false")]
    [InlineData("1", "true")]
    [InlineData("10000000", "true")]
    public void Ping_calls_another_messenger(string size, string isLong)
    {
        using var cube = new MessengerCube(3, 3, 1, hasOwnEndpoints: true);
        cube.Cube.Advance(Second);
        JsonElement ping = Run(cube, "ping", ("to", "1,1,0"), ("size", size), ("long", isLong), ("count", "3"));
        Assert.Equal(("0,0,0", "1,1,0"), (ping.GetProperty("from").GetString(), ping.GetProperty("to").GetString()));
        Assert.Equal((size, isLong), ($"{ping.GetProperty("size")}", $"{ping.GetProperty("long")}".ToLowerInvariant()));
        Assert.Equal(3, ping.GetProperty("replies").GetArrayLength());
        Assert.All(
            ping.GetProperty("replies").EnumerateArray(),
            reply =>
            {
                Assert.True(reply.GetProperty("answered").GetBoolean());
                Assert.InRange(reply.GetProperty("roundTripMicros").GetDouble(), 1, 1e6);
            }
        );
        cube.AssertNothingLeft(9);
    }

    [Fact]
    public void A_ping_at_the_very_start_waits_for_the_endpoint_that_asks()
    {
        using var cube = new MessengerCube(3, 1, 1, hasOwnEndpoints: true);
        JsonElement ping = Run(cube, "ping", ("to", "1,0,0"), ("count", "1"), ("timeout", "10s"));
        Assert.True(ping.GetProperty("replies")[0].GetProperty("answered").GetBoolean());
    }

    [Theory]
    [InlineData("9,9,9", "56", "is outside of 3x1x1")]
    [InlineData("0,0,0", "56", "is this very server")]
    [InlineData("1,0,0", "100000", "add long=true")]
    [InlineData("1,0,0", "0", "size")]
    [InlineData("1,0,0", "-1", "size")]
    [InlineData("1,0,0", "1e30", "size")]
    public void What_cannot_be_pinged_is_refused_in_words(string to, string size, string words)
    {
        using var cube = new MessengerCube(3, 1, 1, hasOwnEndpoints: true);
        cube.Cube.Advance(Second);
        CommandCall call = CommandCall.Of("messenger", "ping", ("to", to), ("size", size));
        CommandResult result = cube.Cube.Await(cube.Cube[A].Gate.RunCommandAsync(call));
        Assert.False(result.IsOk);
        Assert.Contains(words, result.Text, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', result.Text);
    }

    [Fact]
    public void A_server_that_is_off_does_not_answer()
    {
        using var cube = new MessengerCube(3, 3, 1, hasOwnEndpoints: true);
        cube.Cube.Advance(Second);
        cube.Cube.Kill(B);
        JsonElement ping = Run(cube, "ping", ("to", "1,0,0"), ("count", "2"), ("timeout", "50ms"));
        Assert.All(
            ping.GetProperty("replies").EnumerateArray(),
            r => Assert.False(r.GetProperty("answered").GetBoolean())
        );
        cube.Cube.AwaitConverged();
        Assert.Equal(8, Run(cube, "endpoints").GetArrayLength());
    }

    private static JsonElement Run(MessengerCube cube, string command, params (string, string)[] arguments)
    {
        CommandCall call = CommandCall.Of("messenger", command, arguments);
        CommandResult result = cube.Cube.Await(cube.Cube[A].Gate.RunCommandAsync(call));
        Assert.True(result.IsOk, result.Text);
        return JsonDocument.Parse(result.Body).RootElement;
    }
}
