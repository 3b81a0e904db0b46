using System.Text;

namespace CamCube.Services.Cache.Tests.Memcached.Differential;

/// <summary>
/// The same random commands to memcached 1.6.18 and to the front end: every answer must be the same byte for byte, but for
/// tokens, ages and the like. Every stream is repeated by its number.
/// </summary>
public sealed class DifferentialTests
{
    private const int Streams = 300;

    [Fact]
    public async Task Text_and_meta_commands_are_answered_as_by_memcached()
    {
        using MemcachedProcess memcached = await MemcachedProcess.StartAsync();
        await using OurServer ours = await OurServer.StartAsync(new FakeGate(new FakeCache()));
        for (int seed = 0; seed < Streams; seed++)
        {
            using BytePeer theirs = await memcached.ConnectAsync(), mine = await ours.ConnectAsync();
            await CompareTextAsync(seed, theirs, mine);
        }
    }

    private static async Task CompareTextAsync(int seed, BytePeer theirs, BytePeer mine)
    {
        var theirTokens = new Dictionary<string, string>();
        var myTokens = new Dictionary<string, string>();
        var said = new StringBuilder();
        foreach (string batch in new TextStream(seed).Batches())
        {
            said.Append(batch);
            string expected = await AskAsync(theirs, TextAnswersRead.Fill(batch, theirTokens));
            string actual = await AskAsync(mine, TextAnswersRead.Fill(batch, myTokens));
            string expectedMask = TextAnswersRead.Mask(expected), actualMask = TextAnswersRead.Mask(actual);
            Assert.True(
                expectedMask == actualMask,
                $"Stream {seed}:\n{said}\nmemcached:\n{expectedMask}\nCamCube:\n{actualMask}");
            TextAnswersRead.Learn(expected, theirTokens);
            TextAnswersRead.Learn(actual, myTokens);
        }
    }

    private static async Task<string> AskAsync(BytePeer peer, string batch)
    {
        await peer.SendAsync(Encoding.Latin1.GetBytes(batch + "mn\r\n"));
        return Encoding.Latin1.GetString(await peer.ReceiveUntilAsync(bytes => bytes.EndsWith("MN\r\n"u8)));
    }
}
