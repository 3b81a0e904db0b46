using CamCube.Analyzers.Tests.Kit;

namespace CamCube.Analyzers.Tests;

/// <summary>CC0005, CC0006 and CC0009.</summary>
public sealed class DeclarationTests
{
    [Theory]
    [InlineData("public struct H { public string Name; }")]
    [InlineData("public struct H { public object A; public int B; }")]
    [InlineData("public class H { public int A; }")]
    [InlineData("public struct H { public int[] A; }")]
    [InlineData("public struct H { public Inner I; } public struct Inner { public string S; }")]
    [InlineData("public enum H { A }")]
    [InlineData("public interface H { }")]
    [InlineData("public struct H { public long A, B, C, D, E, F, G, H2, I; }")]
    [InlineData("public struct H { public Part A, B; } public struct Part { public long A, B, C, D; public byte E; }")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential,"
            + " Size = 65)] public struct H { public int A; }"
    )]
    [InlineData("public struct H { public System.Action A; }")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(17)] public struct H { private int _first; }")]
    public void A_header_that_the_host_would_refuse_is_found(string header) =>
        Assert.Contains("CC0005", Analysis.OfSource(Service("0x7001", "sample", header)));

    [Theory]
    [InlineData("public struct H { public int A; }")]
    [InlineData("public struct H { public long A, B, C, D, E, F, G, H2; }")]
    [InlineData("public struct H { }")]
    [InlineData("public struct H { public Inner I; public byte B; } public struct Inner { public ulong S; }")]
    [InlineData("public struct H { public E Kind; } public enum E : ushort { A }")]
    [InlineData("public struct H { public CamCube.Coordinate At; }")]
    [InlineData("public struct H { public System.UInt128 Key; }")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential,"
            + " Pack = 1)] public struct H { public byte A; public long B; }"
    )]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(16)] public struct H { private int _first; }")]
    [InlineData("public struct H { public static string Words = \"\"; public int A; }")]
    [InlineData("public readonly record struct H(int A, short B);")]
    public void A_header_that_fits_is_left_alone(string header) =>
        Assert.DoesNotContain("CC0005", Analysis.OfSource(Service("0x7001", "sample", header)));

    [Theory]
    [InlineData("0", "sample")]
    [InlineData("0x0001", "sample")]
    [InlineData("0x00ff", "sample")]
    [InlineData("0x0100", "sample")]
    [InlineData("0x0101", "sample")]
    [InlineData("0x01ff", "sample")]
    [InlineData("0x7001", "Sample")]
    [InlineData("0x7001", "my service")]
    [InlineData("0x7001", "9lives")]
    [InlineData("0x7001", "")]
    [InlineData("0x7001", "under_score")]
    [InlineData("0x7002", "sample")]
    [InlineData("0x7001", "second")]
    public void An_id_or_a_name_that_cannot_be_is_found(string id, string name) =>
        Assert.Contains(
            "CC0006",
            Analysis.OfSource(
                Service(id, name, "public struct H { }")
                    + "[CamCube.CamCubeService(0x7002, \"second\")] public class B : CamCube.CamCubeService { }"
            )
        );

    [Theory]
    [InlineData("0x0200", "sample")]
    [InlineData("0x7001", "sample")]
    [InlineData("0x7fff", "a")]
    [InlineData("0xffff", "a-b")]
    [InlineData("0x1234", "a9")]
    [InlineData("4660", "long-name-with-many-parts")]
    [InlineData("(ushort)0x7001", "x")]
    [InlineData("0x7003", "seconds")]
    [InlineData("0x7004", "a--b")]
    [InlineData("0x7005", "z")]
    public void Others_are_left_alone(string id, string name) =>
        Assert.Empty(
            Analysis.OfSource(
                Service(id, name, "public struct H { }")
                    + "[CamCube.CamCubeService(0x7002, \"second\")] public class B : CamCube.CamCubeService { }"
            )
        );

    [Fact]
    public void An_attribute_on_what_is_no_service_is_found() =>
        Assert.Equal(["CC0006"], Analysis.OfSource("[CamCube.CamCubeService(0x7001, \"x\")] public class A { }"));

    [Theory]
    [InlineData("private static int _count;")]
    [InlineData("public static string Last = \"\";")]
    [InlineData("private static int Count { get; set; }")]
    [InlineData("private static readonly List<int> All = []; public override void OnStart() => All.Add(1);")]
    [InlineData("private static readonly Dictionary<int, int> All = []; public override void OnStart() => All[1] = 2;")]
    [InlineData("private static readonly int[] All = new int[3]; public override void OnStart() => All[1] = 2;")]
    [InlineData("private static readonly int[] All = new int[3]; public override void OnStart() => All[1]++;")]
    [InlineData(
        "private static readonly ConcurrentDictionary<int, int> All = []; public override void OnStart() "
            + "=> All.TryAdd(1, 2);"
    )]
    [InlineData("private static readonly Queue<int> All = []; public override void OnStart() => All.Enqueue(1);")]
    [InlineData("[ThreadStatic] private static int _mine;")]
    [InlineData("private static readonly HashSet<int> All = []; public override void OnStart() => All.Remove(1);")]
    public void State_that_servers_share_is_found(string members) =>
        Assert.Contains("CC0009", Analysis.OfService(members));

    [Theory]
    [InlineData("private const int Most = 3;")]
    [InlineData("private static readonly int[] Table = [1, 2, 3];")]
    [InlineData("private static readonly Dictionary<int, int> Table = new() { [1] = 2 };")]
    [InlineData("private static readonly List<int> Table; static Sample() { Table = []; Table.Add(1); }")]
    [InlineData("private int _count; public override void OnStart() => _count++;")]
    [InlineData("private readonly List<int> _all = []; public override void OnStart() => _all.Add(1);")]
    [InlineData("private static int Twice(int x) => x * 2;")]
    [InlineData("private static string Words { get; } = \"a\";")]
    [InlineData("private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);")]
    [InlineData(
        "private static readonly FrozenSet<int> Set = new[] { 1 }.ToFrozenSet(); public override void "
            + "OnStart() => Set.Contains(1);"
    )]
    public void What_does_not_change_is_left_alone(string members) => Assert.Empty(Analysis.OfService(members));

    private static string Service(string id, string name, string header) =>
        $"[CamCube.CamCubeService({id}, \"{name}\", Header = typeof(H))] "
        + $"public class A : CamCube.CamCubeService {{ }} {header} ";
}
