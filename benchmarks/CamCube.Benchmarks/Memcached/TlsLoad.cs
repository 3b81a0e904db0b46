using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Benchmarks.Memcached;

/// <summary>Connections with one batch of gets in flight each, with TLS or without, and what they cost the
/// server.</summary>
internal sealed class TlsLoad : IDisposable
{
    private const int ValueLength = 512;
    private static readonly string Value = new('v', ValueLength);
    private readonly Process _server;
    private readonly List<Stream> _streams = [];
    private readonly byte[] _request;
    private readonly int _replyLength;
    private readonly int _batch;

    private TlsLoad(int processId, int batch)
    {
        (_server, _batch) = (Process.GetProcessById(processId), batch);
        _request = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("get tls-load\r\n", batch)));
        _replyLength = batch * $"VALUE tls-load 0 {ValueLength}\r\n{Value}\r\nEND\r\n".Length;
    }

    /// <summary>Connects, and stores what will be asked for.</summary>
    public static async Task<TlsLoad> ConnectAsync(
        MemcachedServer server,
        int port,
        bool hasTls,
        int connections,
        int batch
    )
    {
        var load = new TlsLoad(server.ProcessId, batch);
        for (int i = 0; i < connections; i++)
        {
            Stream stream = await ConnectAsync(port);
            if (hasTls)
            {
                var tls = new SslStream(stream);
                await tls.AuthenticateAsClientAsync(
                    new SslClientAuthenticationOptions
                    {
                        TargetHost = "server",
                        RemoteCertificateValidationCallback = static (_, _, _, _) => true,
                    }
                );
                stream = tls;
            }

            load._streams.Add(stream);
        }

        await load._streams[0]
            .WriteAsync(
                Encoding.ASCII.GetBytes(
                    string.Create(CultureInfo.InvariantCulture, $"set tls-load 0 0 {ValueLength}\r\n{Value}\r\n")
                )
            );
        byte[] stored = new byte["STORED\r\n".Length];
        await load._streams[0].ReadExactlyAsync(stored);
        return stored.AsSpan().SequenceEqual("STORED\r\n"u8)
            ? load
            : throw new InvalidDataException("the server did not store");
    }

    /// <summary>Microseconds of the server's processor time per get, and gets per second.</summary>
    public async Task<(double Micros, double PerSecond)> RunAsync(TimeSpan time)
    {
        _server.Refresh();
        TimeSpan used = _server.TotalProcessorTime;
        long began = Stopwatch.GetTimestamp();
        long[] counts = await Task.WhenAll(_streams.Select(stream => Task.Run(() => AskAsync(stream, began, time))));
        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        _server.Refresh();
        double operations = counts.Sum();
        return ((_server.TotalProcessorTime - used).TotalMicroseconds / operations, operations / seconds);
    }

    public void Dispose()
    {
        _streams.ForEach(stream => stream.Dispose());
        _server.Dispose();
    }

    private static async Task<Stream> ConnectAsync(int port)
    {
        for (int attempt = 0; ; attempt++)
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                await socket.ConnectAsync(IPAddress.Loopback, port);
                return new NetworkStream(socket, ownsSocket: true);
            }
            catch (SocketException) when (attempt < 200)
            {
                socket.Dispose();
                await Task.Delay(50);
            }
        }
    }

    private async Task<long> AskAsync(Stream stream, long began, TimeSpan time)
    {
        byte[] reply = new byte[_replyLength];
        long count = 0;
        while (Stopwatch.GetElapsedTime(began) < time)
        {
            await stream.WriteAsync(_request);
            await stream.ReadExactlyAsync(reply);
            if (!reply.AsSpan(_replyLength - 5).SequenceEqual("END\r\n"u8))
            {
                throw new InvalidDataException("wrong answer");
            }

            count += _batch;
        }

        return count;
    }
}
