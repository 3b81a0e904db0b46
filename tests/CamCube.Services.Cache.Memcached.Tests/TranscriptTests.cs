using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class TranscriptTests
{
    public static TheoryData<string> Names => [.. All.Select(transcript => transcript.Name)];

    private static IEnumerable<(string Name, string Request, string Reply)> All =>
        Transcripts.All.Concat(MetaTranscripts.All).Concat(BinaryTranscripts.All);

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Replies_are_memcacheds(string name)
    {
        (_, string request, string reply) = All.Single(transcript => transcript.Name == name);
        Assert.Equal(reply, await PlayAsync(request));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Replies_are_the_same_wherever_the_request_is_cut(string name)
    {
        (_, string request, string reply) = All.Single(transcript => transcript.Name == name);
        for (int cut = 1; cut < request.Length; cut++)
        {
            string actual = await PlayAsync(request[..cut], request[cut..]);
            Assert.True(reply == actual, $"Cut at {cut}: {actual}");
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Replies_are_the_same_byte_by_byte(string name)
    {
        (_, string request, string reply) = All.Single(transcript => transcript.Name == name);
        Assert.Equal(reply, await PlayAsync([.. request.Select(letter => letter.ToString())]));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Replies_are_the_same_when_the_cube_answers_later(string name)
    {
        (_, string request, string reply) = All.Single(transcript => transcript.Name == name);
        var client = new MemoryClient(new FakeGate(new FakeCache()) { Mode = GateMode.Pool });
        await client.SendAsync(request);
        Assert.Equal(reply, await client.FinishAsync());
    }

    [Fact]
    public async Task All_transcripts_in_one_connection()
    {
        // flush_all between them; cas tokens go on counting.
        var request = new StringBuilder();
        var reply = new StringBuilder();
        string[] left = ["cas", "quit", "HTTP", "half a command", "line ends", "flush_all"];
        foreach ((string name, string asked, string answered) in Transcripts.All)
        {
            if (left.Contains(name))
            {
                continue;
            }

            request.Append(asked).Append("flush_all\r\n");
            reply.Append(answered).Append("OK\r\n");
        }

        Assert.Equal(reply.ToString(), await PlayAsync(request.ToString()));
    }

    private static async Task<string> PlayAsync(params string[] pieces)
    {
        var client = new MemoryClient(new FakeGate(new FakeCache()));
        foreach (string piece in pieces)
        {
            await client.SendAsync(piece);
        }

        return await client.FinishAsync();
    }
}
