using System.ComponentModel;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Testing;

namespace CamCube.Memcached.Tests;

/// <summary>-Z, with openssl for a client that nobody here wrote, and its certificates.</summary>
public sealed class MemcachedTlsTests : IDisposable
{
    private static readonly PortSlice Ports = PortSlice.Take("memcached-tests", first: 31_600, slices: 4, count: 100);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-memcached-tls").FullName;
    private readonly CancellationTokenSource _stop = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _errors = new();

    public void Dispose()
    {
        _stop.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("1", "-tls1_2")]
    [InlineData("2", "-tls1_3")]
    public async Task Openssl_is_served_with_TLS_and_others_without_at_addresses_that_have_none(
        string loops,
        string version
    )
    {
        await MakeCertificateAsync();
        (int secure, int plain) = (Ports.Next(), Ports.Next());
        Task<int> running = RunAsync(
            "-Z",
            "-o",
            $"ssl_chain_cert={PathOf("server.pem")},ssl_key={PathOf("server.key")}",
            "-t",
            loops,
            "-u",
            Environment.UserName,
            "-l",
            $"notls:127.0.0.1:{plain},127.0.0.1:{secure}"
        );

        // Keys of both loops.
        var requests = new StringBuilder();
        var replies = new StringBuilder();
        for (int i = 0; i < 20; i++)
        {
            requests.Append($"set key{i} 0 0 3\r\n{i:000}\r\n");
            replies.Append("STORED\r\n");
        }

        (await ConnectAsync(plain, running)).Dispose();
        Assert.Equal(
            replies + "VALUE key7 0 3\r\n007\r\nEND\r\n",
            await OpensslAsync(
                $"{requests}get key7\r\nquit\r\n",
                "s_client",
                "-connect",
                $"127.0.0.1:{secure}",
                "-quiet",
                version,
                "-CAfile",
                PathOf("server.pem"),
                "-verify_return_error"
            )
        );

        using Socket client = await ConnectAsync(plain, running);
        await client.SendAsync("get key0 key19\r\nstats\r\nquit\r\n"u8.ToArray()).WaitAsync(Patience);
        string text = await ReceiveToEndAsync(client);
        Assert.StartsWith("VALUE key0 0 3\r\n000\r\nVALUE key19 0 3\r\n019\r\nEND\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT ssl_handshake_errors 0\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT curr_items 20\r\n", text, StringComparison.Ordinal);
        await _stop.CancelAsync();
        Assert.Equal(0, await running.WaitAsync(Patience));
        Assert.Equal("", _errors.ToString());
    }

    [Theory]
    [InlineData(
        "-Z",
        MemcachedProgram.Usage,
        "-Z needs -o ssl_chain_cert=<file>, the server's certificate in PEM format."
    )]
    [InlineData(
        "-Z -s /nowhere -o ssl_chain_cert=/nowhere",
        MemcachedProgram.Usage,
        "ERROR: You cannot enable SSL without a TCP port."
    )]
    [InlineData("-l notls:127.0.0.1", MemcachedProgram.Usage, "'notls' option is valid only when SSL is enabled")]
    [InlineData(
        "-Z -o ssl_chain_cert=/nowhere,ssl_verify_mode=2",
        MemcachedProgram.Usage,
        "-o ssl_verify_mode needs -o ssl_ca_cert=<file>, the certificates of those who may issue clients'."
    )]
    [InlineData(
        "-Z -p -1 -o ssl_chain_cert=/nowhere",
        MemcachedProgram.Refused,
        "failed to listen: the certificate file /nowhere is not there"
    )]
    public async Task What_is_wrong_is_told_in_one_line(string arguments, int code, string message)
    {
        Assert.Equal(code, await RunAsync([.. arguments.Split(' '), "-u", Environment.UserName]).WaitAsync(Patience));
        Assert.Equal(message + "\n", _errors.ToString().ReplaceLineEndings("\n"));
    }

    private string PathOf(string file) => Path.Combine(_folder, file);

    private Task MakeCertificateAsync() =>
        OpensslAsync(
            "",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            PathOf("server.key"),
            "-out",
            PathOf("server.pem")
        );

    private static async Task<string> OpensslAsync(string input, params string[] arguments)
    {
        Process process;
        try
        {
            process = Process.Start(
                new ProcessStartInfo("openssl", arguments)
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                    StandardInputEncoding = Encoding.Latin1,
                }
            )!;
        }
        catch (Win32Exception)
        {
            Assert.False(
                Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1",
                "CAMCUBE_REQUIRE_ALL=1, but openssl is not there."
            );
            Assert.Skip("The program openssl is not there; tools/install-test-dependencies installs it.");
            throw;
        }

        using (process)
        {
            Task<string> errors = process.StandardError.ReadToEndAsync();
            await process.StandardInput.WriteAsync(input);
            await process.StandardInput.FlushAsync();
            string text = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
            await process.WaitForExitAsync().WaitAsync(Patience);
            Assert.True(process.ExitCode == 0, await errors);
            return text;
        }
    }

    private Task<int> RunAsync(params string[] arguments) =>
        Task.Run(() => MemcachedProgram.RunAsync(arguments, _output, _errors, _stop.Token));

    private async Task<Socket> ConnectAsync(int port, Task<int> running)
    {
        for (; ; )
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                await socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(Patience);
                return socket;
            }
            catch (SocketException)
            {
                socket.Dispose();
                Assert.False(running.IsCompleted, _errors.ToString());
                await Task.Yield();
            }
        }
    }

    private static async Task<string> ReceiveToEndAsync(Socket socket)
    {
        var text = new StringBuilder();
        byte[] buffer = new byte[4096];
        while (await socket.ReceiveAsync(buffer).WaitAsync(Patience) is > 0 and int count)
        {
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }

        return text.ToString();
    }
}
