using System.Globalization;
using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>
/// Ids of services are in the wire format of every cube, so none is given twice and each lies where its kind does
/// (docs/services.md): in source, because no program loads all of them.
/// </summary>
public sealed partial class ServiceIdTests
{
    /// <summary>Whose ids lie where. Those of services that are to come are taken already.</summary>
    private static readonly (string Room, ushort First, ushort Last)[] Places =
    [
        ("Services/CamCube.Services.Diagnostics/Streams", 0x0103, 0x0103),
        ("Services/CamCube.Services.Diagnostics", 0x0101, 0x0101),
        ("Services/CamCube.Services.Workloads/AllToAll", 0x0102, 0x0102),
        ("Services/CamCube.Services.Workloads/Load", 0x0104, 0x0106),
        ("Services/CamCube.Services.Workloads/Messages", 0x0107, 0x0107),
        ("Services/CamCube.Services.Workloads/Routing", 0x0120, 0x0126),
        ("Services/CamCube.Services.Cache", 0x0110, 0x0110),
        ("Services/CamCube.Services.Messenger", 0x0112, 0x0112),
        ("Services/CamCube.Services.Distribution", 0x0130, 0x0130),
        ("Services/CamCube.Services.Collectives", 0x0140, 0x0140),
        ("Services/CamCube.Services.KeyValue", 0x0170, 0x0170),
        ("Services/CamCube.Services.Files", 0x0180, 0x0180),
        ("Services/CamCube.Services.Camdoop", 0x0190, 0x0190),
        ("Services/CamCube.Services.Images", 0x01A0, 0x01A0),
        ("Services/CamCube.Services.Tunnel", 0x01B0, 0x01B1),
        ("Simulator/CamCube.Simulator/Swarm", 0x01E0, 0x01EF),
        ("tools/", 0x7000, 0x7FFF),
        ("benchmarks/", 0x7000, 0x7FFF),
        ("docs/samples/", 0x7000, 0x7FFF),
    ];

    [Fact]
    public void No_two_services_have_one_id_and_each_lies_where_its_kind_does()
    {
        List<(string File, string Name, ushort Id)> found = [];
        foreach (string room in (string[])["src", "Services", "Shim", "Simulator", "tools", "benchmarks", "docs"])
        {
            found.AddRange(
                Directory
                    .EnumerateFiles(Path.Combine(BuiltPrograms.Root, room), "*.cs", SearchOption.AllDirectories)
                    .Where(file => !file.Contains("/obj/", StringComparison.Ordinal))
                    .SelectMany(file =>
                        In(Path.GetRelativePath(BuiltPrograms.Root, file).Replace('\\', '/'), File.ReadAllText(file))
                    )
            );
        }

        Assert.True(found.Count >= 20, $"only {found.Count} services were found");
        Assert.Empty(Breaches(found));
    }

    [Fact]
    public void A_planted_breach_is_found()
    {
        (string, string, ushort)[] planted =
        [
            .. In("Services/CamCube.Services.Cache/A.cs", "[CamCubeService(0x0110, \"cache\", Header = typeof(H))]"),
            .. In("tools/camcube/B.cs", "[CamCubeService(0x0110, \"copy\")]"),
            .. In("Services/CamCube.Services.Unheard/C.cs", "[CamCubeService(0x0150, \"unheard\")]"),
        ];
        Assert.Equal(
            [
                "0x0110 is the id of cache (Services/CamCube.Services.Cache/A.cs) and of copy (tools/camcube/B.cs)",
                "copy (tools/camcube/B.cs) has the id 0x0110; ids there are 0x7000 to 0x7fff",
                "unheard (Services/CamCube.Services.Unheard/C.cs) has no place for its id 0x0150: "
                    + "give it one in ServiceIdTests",
            ],
            Breaches([.. planted])
        );
    }

    private static IEnumerable<(string File, string Name, ushort Id)> In(string file, string text) =>
        Declaration()
            .Matches(text)
            .Select(match =>
                (
                    file,
                    match.Groups[2].Value,
                    ushort.Parse(match.Groups[1].Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)
                )
            );

    private static List<string> Breaches(List<(string File, string Name, ushort Id)> found)
    {
        var breaches = new List<string>();
        foreach (var same in found.GroupBy(one => one.Id).Where(same => same.Count() > 1))
        {
            breaches.Add(
                $"0x{same.Key:x4} is the id of "
                    + $"{string.Join(" and of ", same.Select(one => $"{one.Name} ({one.File})"))}"
            );
        }

        foreach ((string file, string name, ushort id) in found)
        {
            (string? room, ushort first, ushort last) = Places.FirstOrDefault(place =>
                file.StartsWith(place.Room, StringComparison.Ordinal)
            );
            if (room is null)
            {
                breaches.Add(
                    $"{name} ({file}) has no place for its id 0x{id:x4}: give it one in {nameof(ServiceIdTests)}"
                );
            }
            else if (id < first || id > last)
            {
                breaches.Add($"{name} ({file}) has the id 0x{id:x4}; ids there are 0x{first:x4} to 0x{last:x4}");
            }
        }

        return breaches;
    }

    [GeneratedRegex("""^\s*\[CamCubeService\(0x([0-9A-Fa-f]{4}), "([^"]+)""", RegexOptions.Multiline)]
    private static partial Regex Declaration();
}
