using System.Net;
using System.Net.Sockets;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A client of the front end echo.</summary>
internal sealed class EchoClient : IDisposable
{
    private readonly TcpClient _client = new();
    private StreamReader _reader = null!;
    private StreamWriter _writer = null!;

    public string Greeting { get; private set; } = "";

    public static async Task<EchoClient> ConnectAsync(int port)
    {
        EchoClient client = new();
        await client._client.ConnectAsync(IPAddress.Loopback, port).SoonAsync();
        client._reader = new StreamReader(client._client.GetStream());
        client._writer = new StreamWriter(client._client.GetStream()) { AutoFlush = true };
        client.Greeting = await client.ReadAsync() ?? "";
        return client;
    }

    public async Task<string?> AskAsync(string line)
    {
        await _writer.WriteLineAsync(line).SoonAsync();
        return await ReadAsync();
    }

    /// <summary>The next line; null after the other side closed the connection.</summary>
    public async Task<string?> ReadAsync()
    {
        try
        {
            return await _reader.ReadLineAsync().SoonAsync();
        }
        catch (IOException)
        {
            return null;
        }
    }

    public void Dispose() => _client.Dispose();
}
