using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Chaos.Clients;
using CamCube.Histories;

namespace CamCube.Chaos.Tests;

/// <summary>What a client takes of a server's answers, and of those that never come, into the history.</summary>
public sealed class StoreHttpTests : IDisposable
{
    private readonly TcpListener _server = new(IPAddress.Loopback, 0);
    private readonly HttpClient _http;
    private long _clock;

    public StoreHttpTests()
    {
        _server.Start();
        _http = new HttpClient
        {
            BaseAddress = new Uri($"http://127.0.0.1:{Port}"),
            Timeout = TimeSpan.FromSeconds(10),
        };
    }

    private int Port => ((IPEndPoint)_server.LocalEndpoint).Port;

    public void Dispose()
    {
        _http.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData("204 No Content", HistoryKind.Put, HistoryAnswer.Done)]
    [InlineData("201 Created", HistoryKind.Put, HistoryAnswer.Done)]
    [InlineData("404 Not Found", HistoryKind.Delete, HistoryAnswer.NotFound)]
    [InlineData("412 Precondition Failed", HistoryKind.Put, HistoryAnswer.Conflict)]
    [InlineData("503 Service Unavailable", HistoryKind.Put, HistoryAnswer.Unavailable)]
    [InlineData("507 Insufficient Storage", HistoryKind.Put, HistoryAnswer.Unavailable)]
    [InlineData("504 Gateway Timeout", HistoryKind.Put, HistoryAnswer.Unknown)]
    [InlineData("500 Internal Server Error", HistoryKind.Delete, HistoryAnswer.Unknown)]
    public async Task A_status_is_what_the_store_promises_with_it(string status, HistoryKind kind, HistoryAnswer answer)
    {
        Task<int> served = ServeAsync($"HTTP/1.1 {status}\r\nETag: \"42\"\r\nContent-Length: 0\r\n\r\n", 1);
        HistoryOperation told = await AskAsync(kind);
        Assert.Equal((answer, 42ul, 1), (told.Answer, told.Version, await served));
        Assert.True(told.End > told.Begin);
    }

    [Theory]
    [InlineData(HistoryKind.Put)]
    [InlineData(HistoryKind.Delete)]
    public async Task A_change_whose_connection_ends_is_unknown_and_is_never_sent_again(HistoryKind kind)
    {
        // The first is answered, so that the second goes over a connection that was used before.
        Task<int> served = ServeAsync("HTTP/1.1 204 No Content\r\nETag: \"1\"\r\n\r\n", 1, thenClose: true);
        Assert.Equal(HistoryAnswer.Done, (await AskAsync(kind)).Answer);
        Assert.Equal(HistoryAnswer.Unknown, (await AskAsync(kind)).Answer);
        Assert.Equal(2, await served);
        Assert.False(_server.Pending());
    }

    [Fact]
    public async Task Where_nobody_listens_nothing_was_done()
    {
        _server.Stop();
        Assert.Equal(HistoryAnswer.Unavailable, (await AskAsync(HistoryKind.Put)).Answer);
    }

    private Task<HistoryOperation> AskAsync(HistoryKind kind) =>
        new StoreHttp(_http).AskAsync(
            new HistoryOperation
            {
                Key = "k",
                Kind = kind,
                Value = kind == HistoryKind.Put ? "1-1-10" : null,
            },
            () => ++_clock,
            TestContext.Current.CancellationToken
        );

    // Answers as many requests, then, if it is to close, reads one more and closes. Answers how many it has read.
    private async Task<int> ServeAsync(string answer, int requests, bool thenClose = false)
    {
        using TcpClient client = await _server.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
        NetworkStream stream = client.GetStream();
        int count = 0;
        while (count < requests + (thenClose ? 1 : 0))
        {
            await ReadRequestAsync(stream);
            if (++count <= requests)
            {
                await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), TestContext.Current.CancellationToken);
            }
        }

        return count;
    }

    private static async Task ReadRequestAsync(NetworkStream stream)
    {
        var text = new StringBuilder();
        byte[] buffer = new byte[4096];
        while (!IsWhole(text.ToString()))
        {
            int read = await stream.ReadAsync(buffer, TestContext.Current.CancellationToken);
            Assert.NotEqual(0, read);
            text.Append(Encoding.Latin1.GetString(buffer, 0, read));
        }
    }

    private static bool IsWhole(string text)
    {
        const string Length = "Content-Length: ";
        int end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        int at = text.IndexOf(Length, StringComparison.Ordinal);
        return end >= 0
            && (
                at < 0 || text.Length - end - 4 >= int.Parse(text.AsSpan(at + Length.Length).ToString().Split('\r')[0])
            );
    }
}
