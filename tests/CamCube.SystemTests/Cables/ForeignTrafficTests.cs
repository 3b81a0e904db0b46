using System.Net.NetworkInformation;
using System.Text.Json;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Cables;

/// <summary>A cable that leads into another network, as <c>camcube links</c> tells it.</summary>
[Collection(CablesGroup.Name)]
public sealed class ForeignTrafficTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);

    [Fact]
    public async Task What_a_cable_carries_where_a_server_should_be_is_named()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(2));
        using RawCable cable = await RawCable.OpenAsync(bed, 2, "eth5");

        // IPv4, 20 bytes of header, from 192.0.2.7 to everybody, of a sender that is not the server that was there.
        byte[] datagram =
        [
            .. PhysicalAddress.Parse("FF-FF-FF-FF-FF-FF").GetAddressBytes(),
            .. PhysicalAddress.Parse("02-00-00-00-00-77").GetAddressBytes(),
            .. new byte[] { 8, 0, 0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 7, 255, 255, 255, 255 },
            .. new byte[26],
        ];
        await bed.UntilAsync(
            "it is named",
            () =>
            {
                cable.SendWhole(datagram);
                return bed.GetAsync(0, "/api/cabling");
            },
            answer =>
                answer.GetProperty("faults").EnumerateArray().Any(f => f.GetProperty("kind").GetString() == "foreign"),
            Patience
        );
        ToolRun table = await LinksAsync(bed);
        Assert.Equal(
            $"! {bed.Coordinate(0)} port eth6 (-z): carries IPv4 from 192.0.2.7: not a CamCube cable?",
            Assert.Single(table.Output.Split('\n'), line => line.StartsWith('!'))
        );
        JsonElement links = JsonDocument.Parse((await LinksAsync(bed, "--json")).Output).RootElement;
        Assert.Equal(
            [("+z", null), ("-z", "IPv4 192.0.2.7 02:00:00:00:00:77")],
            links.EnumerateArray().Select(link => (link.GetProperty("link").GetString()!, ForeignOf(link)))
        );
    }

    private static string? ForeignOf(JsonElement link) =>
        link.GetProperty("foreign") is { ValueKind: JsonValueKind.Object } foreign
            ? $"{foreign.GetProperty("protocol")} {foreign.GetProperty("source")} {foreign.GetProperty("sender")}"
            : null;

    private static Task<ToolRun> LinksAsync(CableBed bed, params string[] words) =>
        ToolRun.Of([
            "testbed",
            "exec",
            "--name",
            bed.Name,
            bed.Coordinate(0),
            "--",
            "dotnet",
            BuiltPrograms.Find("camcube"),
            "links",
            .. words,
        ]);
}
