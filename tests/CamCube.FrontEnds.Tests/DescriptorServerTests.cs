using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Descriptors;
using CamCube.Testing;

namespace CamCube.FrontEnds.Tests;

/// <summary>Unix sockets for programs that pass descriptors: who may come, and who is sent away.</summary>
[SupportedOSPlatform("linux")]
public sealed class DescriptorServerTests : IDisposable
{
    private const int Most = 8;
    private static readonly TimeSpan MessageTime = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-descriptors-");

    private readonly TestClock _clock = new();

    private string At => Path.Combine(_folder.FullName, "a.sock");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Only_the_owner_may_open_it_and_it_is_gone_when_it_ends()
    {
        DescriptorServer server = Start();
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(At));
        using Socket client = Connect();
        await client.SendAsync("abcd"u8.ToArray());
        byte[] echo = new byte[4];
        Assert.Equal(4, await client.ReceiveAsync(echo).WaitAsync(Patience));
        Assert.Equal("abcd"u8, echo);
        await server.StopAsync();
        Assert.Equal(0, await client.ReceiveAsync(echo).WaitAsync(Patience));
        Assert.Equal((false, 0), (Path.Exists(At), server.Connected));
    }

    [Fact]
    public async Task What_a_killed_process_left_is_replaced_and_nothing_else()
    {
        using (var left = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            // .NET takes the file away with the socket, where it still is.
            left.Bind(new UnixDomainSocketEndPoint($"{At}.left"));
            File.Move($"{At}.left", At);
        }

        Assert.True(Path.Exists(At));
        DescriptorServer server = Start();
        Assert.Contains(At, Assert.Throws<FrontEndException>(() => Start()).Message);
        using Socket client = Connect();
        await server.StopAsync();
        await File.WriteAllTextAsync(At, "mine", TestContext.Current.CancellationToken);
        Assert.Throws<FrontEndException>(() => Start());
        Assert.Equal("mine", await File.ReadAllTextAsync(At, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_half_message_ends_and_those_beyond_the_limit_are_closed_at_once()
    {
        DescriptorServer server = Start();
        List<Socket> crowd = [.. Enumerable.Range(0, 100).Select(_ => Connect())];
        foreach (Socket client in crowd)
        {
            await SendSafely(client);
        }

        // Those beyond are sent away by themselves, the others when their time is over.
        Task<int>[] ends = [.. crowd.Select(ReceivedAsync)];
        while (ends.Count(static end => !end.IsCompleted) > Most)
        {
            await Task.WhenAny(ends.Where(static end => !end.IsCompleted)).WaitAsync(Patience);
        }

        Assert.Equal((Most, Most), (server.Connected, ends.Count(static end => !end.IsCompleted)));
        while (server.Connected > 0)
        {
            _clock.Advance(MessageTime);
            await Task.Yield();
        }

        Assert.All(await Task.WhenAll(ends).WaitAsync(Patience), static received => Assert.Equal(0, received));
        crowd.ForEach(static client => client.Dispose());

        using Socket last = Connect();
        await last.SendAsync("abcd"u8.ToArray());
        Assert.Equal(4, await ReceivedAsync(last));
        await server.StopAsync();
    }

    private DescriptorServer Start()
    {
        var server = new DescriptorServer(Most, MessageTime, _clock, EchoAsync);
        server.Start(At);
        return server;
    }

    private static async Task EchoAsync(DescriptorConnection connection)
    {
        byte[] bytes = new byte[4];
        while (await connection.ReceiveAsync(bytes, isPatient: false) && await connection.SendAsync(bytes)) { }
    }

    private static async Task SendSafely(Socket client)
    {
        try
        {
            await client.SendAsync("ab"u8.ToArray());
        }
        catch (SocketException)
        {
            // Sent away already.
        }
    }

    private static async Task<int> ReceivedAsync(Socket client)
    {
        try
        {
            return await client.ReceiveAsync(new byte[4]).WaitAsync(Patience);
        }
        catch (SocketException)
        {
            return 0;
        }
    }

    private Socket Connect()
    {
        var client = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        client.Connect(new UnixDomainSocketEndPoint(At));
        return client;
    }
}
