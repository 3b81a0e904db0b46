using System.Text.Json;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>What is asked of a server's tunnel from outside.</summary>
public sealed class CommandTests
{
    [Fact]
    public void Status_says_what_the_card_is_what_went_over_it_and_why_there_is_none()
    {
        using var cube = new TunnelCube(3, 2, 1, new TunnelOptions { Namespace = "cc" });
        var traffic = new Traffic(cube);
        traffic.Send(cube.Shape.At(4), cube.Shape.At(0), 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        JsonElement status = Run(cube, 4, "status");
        Assert.Equal("1,1,0", status.GetProperty("server").GetString());
        Assert.Equal("cc-1-1-0", status.GetProperty("namespace").GetString());
        Assert.Equal("10.77.0.5", status.GetProperty("address4").GetString());
        Assert.Equal("fd37:cc:77:0:1:1:1:0", status.GetProperty("address6").GetString());
        Assert.False(status.TryGetProperty("failure", out _));
        Assert.Equal((1, 0), (Number(status, "read"), Number(status, "written")));
        Assert.Equal(1, Number(Run(cube, 0, "status"), "written"));
        cube.CardsOf(4).Refusal = "no right to";
        cube.CardOf(4).IsGone = true;
        cube.Cube.Advance(cube.Options.RetryTime * 1.5);
        Assert.Equal("no right to", Run(cube, 4, "status").GetProperty("failure").GetString());
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Hosts_are_all_servers_whoever_lives()
    {
        using var cube = new TunnelCube(3, 2, 1);
        cube.Cube.Kill(cube.Shape.At(4));
        cube.Cube.AwaitConverged();
        JsonElement hosts = Run(cube, 0, "hosts");
        Assert.Equal(6, hosts.GetArrayLength());
        Assert.Equal("1-1-0.camcube.internal", hosts[4].GetProperty("name").GetString());
        Assert.Equal("10.77.0.5", hosts[4].GetProperty("address4").GetString());
        cube.AssertNothingLeft();
    }

    private static long Number(JsonElement row, string name) => row.GetProperty(name).GetInt64();

    private static JsonElement Run(TunnelCube cube, int rank, string command)
    {
        CommandResult result = cube.Cube.Await(cube.Cube[rank].Gate.RunCommandAsync(CommandCall.Of("tunnel", command)));
        Assert.True(result.IsOk, result.Text);
        return JsonDocument.Parse(result.Body).RootElement;
    }
}
