using System.Net.Security;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Settings;
using CamCube.FrontEnds.Tls;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>TLS over pipes that one thread fills and empties: nothing of it happens elsewhere, wherever that thread
/// wants continuations.</summary>
public sealed class RecordPipeTests : IDisposable
{
    private readonly TestCertificates _certificates = new();
    private readonly ReplyBuffer _toClient = new(),
        _toServer = new();

    public void Dispose() => _certificates.Dispose();

    [Fact]
    public void Agreement_and_all_that_follows_happen_on_the_thread_that_brings_the_bytes()
    {
        MemcachedFrontEndOptions options = _certificates.ServerOptions();
        (options.TlsClients, options.TlsClientAuthorities) = (TlsClientCheck.Required, _certificates.AuthorityFile);
        var terms = new TlsServer(options, TimeProvider.System);
        RecordPipe under = new(_toClient),
            other = new(_toServer);
        using SslStream server = new(under),
            client = new(other);
        SynchronizationContext? outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new Elsewhere());
        try
        {
            using System.Security.Cryptography.X509Certificates.X509Certificate2 own = _certificates.Issue("client");
            Task agreeing = terms.AuthenticateAsync(server),
                joining = client.AuthenticateAsClientAsync(_certificates.ClientTerms(own));
            for (int i = 0; i < 10 && !(agreeing.IsCompleted && joining.IsCompleted); i++)
            {
                Carry(_toServer, under);
                Carry(_toClient, other);
            }

            Assert.True(agreeing.IsCompletedSuccessfully);
            Assert.True(joining.IsCompletedSuccessfully);
            var room = new byte[100];
            ValueTask<int> read = server.ReadAsync(room);
            Assert.False(read.IsCompleted);
            Assert.True(under.IsAwaited);
            Assert.True(client.WriteAsync("hello"u8.ToArray()).IsCompletedSuccessfully);
            Carry(_toServer, under);
            Assert.True(read.IsCompletedSuccessfully);
            Assert.Equal("hello"u8.ToArray(), room[..ResultOf(read)]);
            Assert.True(server.ShutdownAsync().IsCompletedSuccessfully);
            Assert.True(_toClient.Length > 0);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }
    }

    [Fact]
    public void A_record_is_given_when_it_is_whole_and_what_is_none_at_once()
    {
        using var pipe = new RecordPipe(_toClient);
        byte[] record = [23, 3, 3, 0, 4, 1, 2, 3, 4],
            room = new byte[6];
        ValueTask<int> read = pipe.ReadAsync(room);
        pipe.Show(record.AsMemory(0, 8));
        Assert.False(pipe.GoOn());
        Assert.False(read.IsCompleted);
        pipe.Show((byte[])[.. record, 23, 3]);
        Assert.True(pipe.GoOn());
        Assert.Equal(6, ResultOf(read));
        Assert.Equal(record[..6], room);

        // The rest of it, and no byte of the next.
        Assert.Equal(3, ResultOf(pipe.ReadAsync(room)));
        Assert.False(pipe.HasRecord);
        Assert.Equal(2, pipe.Unread);
        pipe.Show("GET"u8.ToArray());
        Assert.Equal(3, ResultOf(pipe.ReadAsync(room)));
        pipe.Show((byte[])[22, 3, 1, 255, 255]);
        Assert.Equal(5, ResultOf(pipe.ReadAsync(room)));
    }

    [Fact]
    public void The_end_and_the_close_end_a_read_that_waits()
    {
        foreach (bool isClosed in (bool[])[false, true])
        {
            using var pipe = new RecordPipe(_toClient);
            ValueTask<int> read = pipe.ReadAsync(new byte[1]);
            pipe.HasEnded = !isClosed;
            if (isClosed)
            {
                pipe.Dispose();
            }
            else
            {
                Assert.True(pipe.GoOn());
            }

            Assert.Equal(0, ResultOf(read));
        }
    }

    private static int ResultOf(ValueTask<int> read)
    {
        Assert.True(read.IsCompletedSuccessfully);
        return read.Result;
    }

    private static void Carry(ReplyBuffer from, RecordPipe to)
    {
        to.Show(from.Written.ToArray());
        from.Clear();
        while (to.GoOn()) { }
    }

    /// <summary>Where nothing may come.</summary>
    private sealed class Elsewhere : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) =>
            throw new InvalidOperationException("It left the thread.");
    }
}
