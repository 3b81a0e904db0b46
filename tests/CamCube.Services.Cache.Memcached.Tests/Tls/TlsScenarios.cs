using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CamCube.FrontEnds.Settings;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>What holds of clients of TLS wherever they are served. Its front end does not run before
/// <see cref="StartAsync"/>.</summary>
public abstract class TlsScenarios : IAsyncDisposable
{
    private const int MostTries = 1_000;
    private protected const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";
    private protected static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);

    private protected TlsScenarios() => Options = Certificates.ServerOptions();

    private protected TestCertificates Certificates { get; } = new();

    private protected TestClock Clock { get; } = new();

    private protected MemcachedFrontEndOptions Options { get; }

    private protected ErrorLog<MemcachedFrontEnd> Log { get; } = new();

    private protected abstract MemcachedFrontEnd FrontEnd { get; }

    public virtual async ValueTask DisposeAsync()
    {
        await FrontEnd.DisposeAsync();
        Certificates.Dispose();
        Assert.True(!Log.Errors.Any(), string.Join("\n", Log.Errors));
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(1, 16 << 10)]
    [InlineData(16 << 10, 16 << 10)]
    [InlineData((16 << 10) + 1, 1 << 10)]
    [InlineData(1 << 20, 64 << 10)]
    public async Task Values_of_any_length_come_back_whatever_is_gathered_before_it_is_sent(int length, int gathered)
    {
        Options.TlsWriteBuffer = gathered;
        await StartAsync();
        using SocketClient client = await ConnectAsync();
        string value = new('v', length),
            hit = $"VALUE a 0 {length}\r\n{value}\r\nEND\r\n";
        await client.AskAsync($"set a 0 0 {length}\r\n{value}\r\n", "STORED\r\n");
        await client.AskAsync(
            string.Concat(Enumerable.Repeat("get a\r\n", 20)),
            string.Concat(Enumerable.Repeat(hit, 20))
        );
    }

    [Theory]
    [InlineData(TlsClientCheck.None, "none", true)]
    [InlineData(TlsClientCheck.None, "other", true)]
    [InlineData(TlsClientCheck.IfGiven, "none", true)]
    [InlineData(TlsClientCheck.IfGiven, "own", true)]
    [InlineData(TlsClientCheck.IfGiven, "other", false)]
    [InlineData(TlsClientCheck.Required, "none", false)]
    [InlineData(TlsClientCheck.Required, "own", true)]
    [InlineData(TlsClientCheck.Required, "other", false)]
    public async Task Clients_show_the_certificates_that_are_asked_for(
        TlsClientCheck check,
        string shown,
        bool isServed
    )
    {
        (Options.TlsClients, Options.TlsClientAuthorities) = (check, Certificates.AuthorityFile);
        await StartAsync();
        using var others = new TestCertificates("another authority");
        using X509Certificate2 own = Certificates.Issue("client"),
            other = others.Issue("client");
        SslClientAuthenticationOptions terms = Certificates.ClientTerms(
            shown switch
            {
                "own" => own,
                "other" => other,
                _ => null,
            }
        );
        Assert.Equal(isServed, await IsServedAsync(terms));
        await AssertHandshakeErrorsAsync(isServed ? 0 : 1, own);
    }

    [Theory]
    [InlineData("get a\r\n")]
    [InlineData("GET / HTTP/1.1\r\n\r\n")]
    [InlineData("\u0080\0\0\0\0\0\0\0")]
    public async Task A_client_without_TLS_is_closed_and_counted(string request)
    {
        await StartAsync();
        using SocketClient plain = await SocketClient.ConnectAsync(FrontEnd.Port);
        await plain.SendAsync(request);
        Assert.DoesNotContain("END", await plain.ReceiveToEndAsync(), StringComparison.Ordinal);
        await AssertHandshakeErrorsAsync(1);
    }

    [Fact]
    public async Task Half_a_handshake_is_closed_in_time_and_counted_and_others_are_served_meanwhile()
    {
        await StartAsync();
        using SocketClient silent = await SocketClient.ConnectAsync(FrontEnd.Port);
        using SocketClient half = await SocketClient.ConnectAsync(FrontEnd.Port);

        // A record of a handshake that is 512 bytes long, of which a part comes.
        await half.SendAsync(new byte[] { 0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3 });
        using SocketClient other = await ConnectAsync();
        await other.AskAsync("version\r\n", Version);
        Clock.Advance(TimeSpan.FromSeconds(9));
        await other.AskAsync("version\r\n", Version);
        Assert.Equal(3, FrontEnd.ConnectionCount);
        Clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal("", await silent.ReceiveToEndAsync());
        Assert.Equal("", await half.ReceiveToEndAsync());
        await other.AskAsync("version\r\n", Version);
        await AssertHandshakeErrorsAsync(2);
    }

    [Fact]
    public async Task Noise_in_the_handshake_or_behind_it_is_the_clients_own_end()
    {
        await StartAsync();
        using SocketClient other = await ConnectAsync();
        var random = new Random(8446);
        for (int i = 0; i < 60; i++)
        {
            // Records of each kind, of a length that is right, with noise in them.
            byte[] noise = new byte[random.Next(6, 600)];
            random.NextBytes(noise);
            (noise[0], noise[1], noise[2]) = ((byte)random.Next(20, 25), 3, (byte)random.Next(1, 4));
            (noise[3], noise[4]) = ((byte)((noise.Length - 5) >> 8), (byte)(noise.Length - 5));
            using SocketClient client =
                i % 2 == 0 ? await SocketClient.ConnectAsync(FrontEnd.Port) : await ConnectAsync();
            await client.SendRawAsync(noise);
            client.EndOutput();
            await client.ReceiveToEndAsync();
            await other.AskAsync("version\r\n", Version);
        }
    }

    [Fact]
    public async Task A_client_that_goes_in_the_handshake_is_counted()
    {
        await StartAsync();
        using (SocketClient gone = await SocketClient.ConnectAsync(FrontEnd.Port))
        {
            await gone.SendAsync(new byte[] { 0x16, 3, 1 });
        }

        using SocketClient other = await ConnectAsync();
        while (FrontEnd.ConnectionCount > 1)
        {
            await other.AskAsync("version\r\n", Version);
        }

        await AssertHandshakeErrorsAsync(1);
    }

    [Fact]
    public async Task Certificates_are_read_again_on_command_and_who_is_connected_keeps_his()
    {
        await StartAsync();
        using SocketClient old = await ConnectAsync();
        Clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal("7", await old.StatAsync("time_since_server_cert_refresh"));

        Certificates.WriteServer("successor");
        using (await ConnectAsync()) { }

        await old.AskAsync("refresh_certs\r\nversion\r\n", $"OK\r\n{Version}");
        Assert.Equal("0", await old.StatAsync("time_since_server_cert_refresh"));
        await Assert.ThrowsAsync<AuthenticationException>(() => ConnectAsync());
        using SocketClient next = await SocketClient.ConnectTlsAsync(
            FrontEnd.Port,
            Certificates.ClientTerms(target: "successor")
        );
        Assert.Equal("CN=successor", next.Tls!.RemoteCertificate!.Subject);
        Assert.Equal("CN=server", old.Tls!.RemoteCertificate!.Subject);
        await next.AskAsync("version\r\n", Version);
    }

    [Fact]
    public async Task Wrong_files_are_told_and_the_old_certificates_stay()
    {
        await StartAsync();
        using SocketClient old = await ConnectAsync();
        File.Delete(Certificates.KeyFile);
        await old.AskAsync("refresh_certs\r\n", $"Error the key file {Certificates.KeyFile} is not there\r\n");
        await old.AskAsync("refresh_certs noreply\r\nversion\r\n", Version);
        Assert.Throws<FrontEndException>(FrontEnd.Reload);
        using SocketClient next = await ConnectAsync();
        Assert.Equal("CN=server", next.Tls!.RemoteCertificate!.Subject);
    }

    [Theory]
    [InlineData(TlsVersion.Tls12, SslProtocols.Tls12, true)]
    [InlineData(TlsVersion.Tls12, SslProtocols.Tls13, true)]
    [InlineData(TlsVersion.Tls13, SslProtocols.Tls12, false)]
    [InlineData(TlsVersion.Tls13, SslProtocols.Tls13, true)]
    public async Task Older_versions_are_refused(TlsVersion least, SslProtocols spoken, bool isServed)
    {
        Options.TlsMinVersion = least;
        await StartAsync();
        SslClientAuthenticationOptions terms = Certificates.ClientTerms();
        terms.EnabledSslProtocols = spoken;
        Assert.Equal(isServed, await IsServedAsync(terms));
        await AssertHandshakeErrorsAsync(isServed ? 0 : 1);
    }

    [Fact]
    public async Task Ciphers_are_those_that_are_listed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows chooses itself.");
        Options.TlsCiphers = "ECDHE-ECDSA-AES256-GCM-SHA384";
        await StartAsync();
        SslClientAuthenticationOptions terms = Certificates.ClientTerms();
        terms.EnabledSslProtocols = SslProtocols.Tls12;
        using SocketClient client = await SocketClient.ConnectTlsAsync(FrontEnd.Port, terms);
        Assert.Equal(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, client.Tls!.NegotiatedCipherSuite);
        using SocketClient newer = await ConnectAsync();
        Assert.Equal(SslProtocols.Tls13, newer.Tls!.SslProtocol);
    }

    [Fact]
    public async Task Settings_tell_what_is_so_in_memcacheds_names()
    {
        (Options.TlsClients, Options.TlsClientAuthorities) = (TlsClientCheck.IfGiven, Certificates.AuthorityFile);
        await StartAsync();
        using SocketClient client = await ConnectAsync();
        await client.SendAsync("stats settings\r\n");
        string settings = await client.ReceiveUntilAsync("END\r\n");
        foreach (
            string line in new[]
            {
                "ssl_enabled yes",
                $"ssl_chain_cert {Certificates.CertificateFile}",
                $"ssl_key {Certificates.KeyFile}",
                "ssl_verify_mode 1",
                "ssl_keyformat 1",
                "ssl_ciphers NULL",
                $"ssl_ca_cert {Certificates.AuthorityFile}",
                "ssl_wbuf_size 16384",
                "ssl_session_cache yes",
                "ssl_kernel_tls no",
                "ssl_min_version tlsv1.2",
            }
        )
        {
            Assert.Contains($"STAT {line}\r\n", settings, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Stop_disconnects_everybody_whatever_they_are_doing()
    {
        await StartAsync();
        using SocketClient shaking = await SocketClient.ConnectAsync(FrontEnd.Port);
        using SocketClient idle = await ConnectAsync();
        using SocketClient half = await ConnectAsync();
        await half.AskAsync("version\r\nset a 0 0 10\r\nabc", Version);
        await FrontEnd.StopAsync();
        foreach (SocketClient client in new[] { shaking, idle, half })
        {
            Assert.Equal("", await client.ReceiveToEndAsync());
        }
    }

    private protected virtual async Task StartAsync() =>
        await FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);

    private protected Task<SocketClient> ConnectAsync(X509Certificate2? own = null) =>
        SocketClient.ConnectTlsAsync(FrontEnd.Port, Certificates.ClientTerms(own));

    // With TLS 1.3 a client learns only with its first answer that its certificate was not good enough.
    private async Task<bool> IsServedAsync(SslClientAuthenticationOptions terms)
    {
        try
        {
            using SocketClient client = await SocketClient.ConnectTlsAsync(FrontEnd.Port, terms);
            await client.SendAsync("version\r\nquit\r\n");
            return await client.ReceiveToEndAsync() == Version;
        }
        catch (Exception error) when (error is AuthenticationException or IOException)
        {
            return false;
        }
    }

    // A client hears of its end before the server has counted it.
    private async Task AssertHandshakeErrorsAsync(int expected, X509Certificate2? own = null)
    {
        using SocketClient client = await ConnectAsync(own);
        int counted = int.Parse(await client.StatAsync("ssl_handshake_errors"));
        for (int tries = 0; counted < expected && tries < MostTries; tries++)
        {
            await Task.Delay(10);
            counted = int.Parse(await client.StatAsync("ssl_handshake_errors"));
        }

        Assert.Equal(expected, counted);
    }
}
