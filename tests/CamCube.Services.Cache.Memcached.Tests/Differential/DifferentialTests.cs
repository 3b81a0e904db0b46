using System.Text;
using CamCube.Testing;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>
/// The same random commands to memcached 1.6.18 and to the front end: every answer must be the same byte for byte, but
/// for tokens, ages and the like. Every stream is repeated by its number.
/// </summary>
public sealed class DifferentialTests
{
    private const int Streams = 300;
    private const int MostDifferences = 8;

    /// <summary>Over a cache in a dictionary, and over cubes of one server and of 27.</summary>
    public static TheoryData<int> Sizes => [0, 1, 3];

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Text_and_meta_commands_are_answered_as_by_memcached(int size)
    {
        using TestCube? cube = CubeOf(size);
        using MemcachedProcess memcached = await MemcachedProcess.StartAsync();
        await using OurServer ours = await OurServer.StartAsync(GateOf(cube));
        var differences = new List<string>();
        for (int seed = 0; seed < Streams && differences.Count < MostDifferences; seed++)
        {
            using BytePeer theirs = await memcached.ConnectAsync(),
                mine = await ours.ConnectAsync();
            if (await CompareTextAsync(new TextStream(seed), theirs, mine) is { } difference)
            {
                differences.Add($"Stream {seed}:\n{difference}");
            }
        }

        Assert.True(differences.Count == 0, string.Join('\n', differences));
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Binary_requests_are_answered_as_by_memcached(int size)
    {
        using TestCube? cube = CubeOf(size);
        using MemcachedProcess memcached = await MemcachedProcess.StartAsync();
        await using OurServer ours = await OurServer.StartAsync(GateOf(cube));
        var differences = new List<string>();
        for (int seed = 0; seed < Streams && differences.Count < MostDifferences; seed++)
        {
            using var theirs = new BinaryPeer(await memcached.ConnectAsync());
            using var mine = new BinaryPeer(await ours.ConnectAsync());
            if (await CompareBinaryAsync(new BinaryStream(seed), theirs, mine) is { } difference)
            {
                differences.Add($"Stream {seed}:\n{difference}");
            }
        }

        Assert.True(differences.Count == 0, string.Join('\n', differences));
    }

    private static TestCube? CubeOf(int size) =>
        size == 0 ? null : new TestCube(size, size, size).Add(server => new CacheService(server, new CacheOptions()));

    private static IServerGate GateOf(TestCube? cube) =>
        cube is null ? new FakeGate(new FakeCache()) : new CubeGate(cube, cube.Shape.Count / 2);

    private static async Task<string?> CompareBinaryAsync(BinaryStream stream, BinaryPeer theirs, BinaryPeer mine)
    {
        var said = new StringBuilder();
        foreach (IReadOnlyList<BinaryFrame> batch in stream.Batches())
        {
            said.AppendJoin('\n', batch).AppendLine();
            string expected = await theirs.AskAsync(batch),
                actual = await mine.AskAsync(batch);
            if (expected != actual)
            {
                return $"{said}\nmemcached:\n{expected}\nCamCube:\n{actual}";
            }
        }

        if (stream.LastBytes() is { } last)
        {
            string expected = await theirs.EndAsync(last),
                actual = await mine.EndAsync(last);
            if (expected != actual)
            {
                return $"{said}\nat the end:\nmemcached:\n{expected}\nCamCube:\n{actual}";
            }
        }

        return null;
    }

    /// <summary>Plays a stream to both; gives the first batch that is answered differently, and what came before
    /// it.</summary>
    private static async Task<string?> CompareTextAsync(TextStream stream, BytePeer theirs, BytePeer mine)
    {
        var theirTokens = new Dictionary<string, string>();
        var myTokens = new Dictionary<string, string>();
        var said = new StringBuilder();
        foreach (string batch in stream.Batches())
        {
            said.Append(batch);
            string expected = await AskAsync(theirs, TextAnswersRead.Fill(batch, theirTokens));
            string actual = await AskAsync(mine, TextAnswersRead.Fill(batch, myTokens));
            string expectedMask = TextAnswersRead.Mask(expected),
                actualMask = TextAnswersRead.Mask(actual);
            if (expectedMask != actualMask)
            {
                return $"{said}\nmemcached:\n{expectedMask}\nCamCube:\n{actualMask}";
            }

            TextAnswersRead.Learn(expected, theirTokens);
            TextAnswersRead.Learn(actual, myTokens);
        }

        return null;
    }

    private static async Task<string> AskAsync(BytePeer peer, string batch)
    {
        await peer.SendAsync(Encoding.Latin1.GetBytes(batch + "mn\r\n"));
        return Encoding.Latin1.GetString(await peer.ReceiveUntilAsync(bytes => bytes.EndsWith("MN\r\n"u8)));
    }
}
