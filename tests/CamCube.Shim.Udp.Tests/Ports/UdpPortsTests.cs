using System.Net;
using System.Net.Sockets;
using CamCube.Shim.Udp.Ports;
using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>Ports over loopback sockets, with the test's time, whoever moves their datagrams.</summary>
public abstract class UdpPortsTests
{
    private protected static readonly string[] Four = ["127.0.0.1", "127.0.0.2"];

    /// <summary>The setting <c>Via</c>.</summary>
    private protected abstract string Via { get; }

    [Theory]
    [InlineData("127.0.0.1", "127.0.0.2")]
    [InlineData("::1", "::1")]
    [InlineData("0.0.0.0", "127.0.0.1")]
    public void Frames_of_all_lengths_arrive_as_they_were(string first, string second)
    {
        using var pair = Pair(
            [first, second],
            [("Mtu", "9000")],
            first == "0.0.0.0" ? ["127.0.0.1", "127.0.0.1"] : null
        );
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        pair.Logs[1].Frames.Clear();
        int longest = pair.Ports[0].MaxFrameLength(0) - 14;
        Assert.Equal(8_920, longest);
        for (int length = 1; length <= longest; length += length < 200 || length > longest - 20 ? 1 : 97)
        {
            Assert.True(pair.Send(0, 0, (byte)length, length));
            pair.Round();
            (int port, byte[] frame) = pair.Logs[1].Frames[^1];
            Assert.Equal(1, port);
            Assert.Equal(length, frame.Length);
            Assert.False(frame.AsSpan().ContainsAnyExcept((byte)length));
        }

        Assert.Equal(0, pair.Logs[1].DropsOf(DropReason.Unauthenticated));
    }

    [Fact]
    public void On_a_path_of_1500_bytes_the_smallest_largest_frame_goes_in_two_datagrams()
    {
        using var pair = Pair(Four);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        Assert.Equal(1_514, pair.Ports[0].MaxFrameLength(0));
        Assert.Contains((0, 1_514), pair.Logs[0].Changes);
        pair.Logs[1].Frames.Clear();
        for (int length = 1_400; length <= 1_500; length++)
        {
            // Different bytes in both parts, so that an exchange would be seen.
            Span<byte> frame = pair.Ports[0].Rent(0)[..length];
            for (int i = 0; i < length; i++)
            {
                frame[i] = (byte)(i * 7 / 5);
            }

            pair.Ports[0].Send(0, length);
            pair.Round();
            byte[] got = pair.Logs[1].Frames[^1].Frame;
            Assert.Equal(length, got.Length);
            Assert.True(!got.Where((b, i) => b != (byte)(i * 7 / 5)).Any());
        }

        Assert.Equal(101, pair.Logs[1].Frames.Count);
        pair.Send(0, 0, 1, 1_501);
        pair.Round();
        Assert.Equal(1, pair.Logs[0].DropsOf(DropReason.TooLarge));
        Assert.Equal(101, pair.Logs[1].Frames.Count);
    }

    [Fact]
    public void Runs_of_frames_of_one_length_arrive_whole_and_in_order_never_more_than_the_budget()
    {
        int seed = new Random().Next();
        var random = new Random(seed);
        using var pair = Pair(Four, [("Mtu", "9000")]);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        for (int round = 0; round < 400; round++)
        {
            List<(int Length, byte Value)> sent = [];
            int length = random.Next(1, 3_000);
            for (int i = 0; i < 20; i++)
            {
                length = random.Next(4) == 0 ? random.Next(1, 3_000) : length;
                sent.Add((length, (byte)random.Next(256)));
                Assert.True(pair.Send(0, 0, sent[^1].Value, length));
            }

            pair.Ports[0].Flush(pair.Logs[0], pair.Now);
            pair.Logs[1].Frames.Clear();
            while (pair.Logs[1].Frames.Count < sent.Count)
            {
                int before = pair.Logs[1].Frames.Count,
                    budget = random.Next(1, 8);
                int work = pair.Ports[1].Receive(pair.Logs[1], budget, pair.Now);
                Assert.True(work > 0 && work <= 2 * budget, $"seed {seed}: {work} of {budget}");
                Assert.InRange(pair.Logs[1].Frames.Count - before, 1, budget);
            }

            Assert.True(
                pair.Logs[1].Frames.Select(f => (f.Frame.Length, f.Frame[0])).SequenceEqual(sent)
                    && pair.Logs[1].Frames.All(f => !f.Frame.AsSpan().ContainsAnyExcept(f.Frame[0])),
                $"seed {seed}, round {round}"
            );
        }
    }

    [Fact]
    public void Before_there_are_keys_frames_are_lost_and_told()
    {
        using var pair = Pair(Four);
        UdpPorts ports = pair.Open(0);
        int room = ports.Room(0);
        for (int i = 0; i < 1_000; i++)
        {
            Assert.True(pair.Send(0, 0, 1, 100));
        }

        Assert.Equal(room, ports.Room(0));
        pair.Round();
        Assert.Equal(1_000, pair.Logs[0].DropsOf(DropReason.LinkDown));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_server_that_starts_again_is_heard_again(int server)
    {
        using var pair = Pair(Four);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        for (int i = 0; i < 3; i++)
        {
            pair.Open(server);
            long before = pair.Now;
            pair.Talk();
            Assert.True(pair.Now - before < 20 * PortPair.Millisecond, $"{(pair.Now - before) / 1e6} ms");
        }
    }

    [Fact]
    public void Whatever_strangers_send_is_counted_and_nothing_of_it_comes_up()
    {
        int seed = new Random().Next();
        var random = new Random(seed);
        using var pair = Pair(Four);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        int port = pair.BasePort + 1_001;

        // With the neighbour's own address and port, since the kernel takes nothing from others.
        pair.Ports[0].Close();
        pair.Ports[0] = null!;
        using var stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        BindWhenFree(stranger, new IPEndPoint(IPAddress.Parse(Four[0]), pair.BasePort));
        stranger.Connect(new IPEndPoint(IPAddress.Parse(Four[1]), port));
        pair.Logs[1].Frames.Clear();
        int sent = 0,
            before = pair.Logs[1].DropsOf(DropReason.Unauthenticated);
        byte[] bytes = new byte[9_100];
        for (int i = 0; i < 4_000; i++)
        {
            random.NextBytes(bytes);
            bytes[0] = random.Next(3) == 0 ? bytes[0] : (byte)((FrameFormat.Version << 4) | random.Next(7));
            int length = random.Next(4) switch
            {
                0 => FrameFormat.HandshakeLength,
                1 => random.Next(60),
                2 => random.Next(9_100),
                _ => random.Next(200),
            };
            sent += stranger.Send(bytes.AsSpan(0, length)) >= 0 ? 1 : 0;
            if (i % 16 == 0)
            {
                pair.Round();
            }
        }

        pair.Round();
        pair.Round();
        Assert.True(pair.Logs[1].Frames.Count == 0, $"seed {seed}");
        Assert.Equal(sent, pair.Logs[1].DropsOf(DropReason.Unauthenticated) - before);
        stranger.Dispose();
        pair.Open(0);
        pair.Talk();
    }

    [Fact]
    public void A_neighbour_with_another_key_is_named_once_and_again_when_it_is_mended()
    {
        using var pair = Pair(Four);
        pair.Settings(1)["ClusterKey"] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHiA=";
        pair.Open(0);
        pair.Open(1);
        for (int i = 0; i < 10_000; i++)
        {
            pair.Send(0, 0, 1, 50);
            pair.Round();
        }

        Assert.Empty(pair.Logs[0].Frames);
        Assert.Empty(pair.Logs[1].Frames);
        Assert.True(pair.Logs[0].DropsOf(DropReason.Unauthenticated) > 2);
        string neighbour = $"127.0.0.2:{pair.BasePort + 1_001}";
        Assert.Equal(
            new LinkNews(true, $"port +x: {neighbour} does not have this cluster's key"),
            Assert.Single(pair.News[0], n => n.Text.StartsWith("port +x", StringComparison.Ordinal))
        );
        Assert.Equal(2, pair.News[1].Count);

        pair.Settings(1)["ClusterKey"] = UdpCubes.Key;
        pair.Open(1);
        pair.Talk();
        Assert.Contains(new LinkNews(false, $"port +x: {neighbour} answers and has this cluster's key"), pair.News[0]);
        Assert.Equal(4, pair.News[0].Count);
    }

    [Fact]
    public void A_neighbour_that_is_joined_to_the_wrong_port_is_named()
    {
        using var pair = Pair(Four);
        (pair.Settings(0)["Neighbours:+x"], pair.Settings(0)["Neighbours:mx"]) = (
            pair.Settings(0)["Neighbours:mx"],
            pair.Settings(0)["Neighbours:+x"]
        );
        (pair.Settings(1)["Neighbours:+x"], pair.Settings(1)["Neighbours:mx"]) = (
            pair.Settings(1)["Neighbours:mx"],
            pair.Settings(1)["Neighbours:+x"]
        );
        pair.Open(0);
        pair.Open(1);
        pair.Until(() => pair.News[0].Count > 1, "nobody says so", 5_000);
        Assert.Contains(
            new LinkNews(true, $"port +x: 127.0.0.2:{pair.BasePort + 1_000} is the +x port of its server, expected -x"),
            pair.News[0]
        );
        Assert.Empty(pair.Logs[0].Frames);
    }

    [Fact]
    public void A_name_is_looked_up_off_the_loop_and_again_when_its_server_has_moved()
    {
        using var pair = Pair(["127.0.0.1", "127.0.0.2"], hosts: ["server-1.test", "127.0.0.1"]);
        var answers = new Queue<TaskCompletionSource<IPAddress[]>>();
        pair.Resolve = host =>
        {
            Assert.Equal("server-1.test", host);
            answers.Enqueue(new TaskCompletionSource<IPAddress[]>());
            return answers.Last().Task;
        };
        pair.Open(0);
        pair.Open(1);

        // Nobody waits for the answer.
        for (int i = 0; i < 100; i++)
        {
            pair.Round();
        }

        Assert.Equal(2, answers.Count);
        answers.Dequeue().SetException(new SocketException((int)SocketError.HostNotFound));
        answers.Dequeue().SetException(new SocketException((int)SocketError.HostNotFound));
        pair.Until(() => answers.Count == 2, "it is not asked again");
        Assert.Equal(
            2,
            pair.News[0]
                .Count(n =>
                    n is { IsFault: true }
                    && n.Text.EndsWith("the name server-1.test is not known", StringComparison.Ordinal)
                )
        );
        answers.Dequeue().SetResult([IPAddress.Parse("127.0.0.2")]);
        answers.Dequeue().SetResult([IPAddress.Parse("127.0.0.2")]);
        pair.Talk();
        Assert.Empty(answers);

        // The server is started elsewhere, and the name follows.
        pair.Settings(1)["BindAddress"] = "127.0.0.3";
        pair.Open(1);
        pair.Until(() => answers.Count == 2, "it is not asked again", 10_000);
        answers.Dequeue().SetResult([IPAddress.Parse("127.0.0.3")]);
        answers.Dequeue().SetResult([IPAddress.Parse("127.0.0.3")]);
        pair.Talk();
        Assert.Equal(4, pair.News[0].Count);
    }

    [Fact]
    public void The_largest_frame_follows_from_the_path()
    {
        Assert.Equal(1_514, FrameSizes.MaxFrameLength(1_280));
        Assert.Equal(1_514, FrameSizes.MaxFrameLength(1_500));
        Assert.Equal(1_514, FrameSizes.MaxFrameLength(1_580));
        Assert.Equal(1_515, FrameSizes.MaxFrameLength(1_581));
        Assert.Equal(8_934, FrameSizes.MaxFrameLength(9_000));
        Assert.Equal(9_013, FrameSizes.MaxFrameLength(9_079));
        Assert.Equal(9_014, FrameSizes.MaxFrameLength(9_080));
        Assert.Equal(9_014, FrameSizes.MaxFrameLength(65_535));
    }

    [Fact]
    public void A_full_ring_says_so_and_again_when_it_has_room()
    {
        using var pair = Pair(Four, [("Mtu", "9000"), ("SocketBuffer", "65536")]);
        UdpPorts ports = pair.Open(0);
        pair.Open(1);
        pair.Talk();
        pair.Logs[1].CountsOnly = true;
        long received = pair.Logs[1].Count;
        int sent = 0;
        for (int round = 0; round < 50; round++)
        {
            while (ports.Room(0) > 0)
            {
                Assert.True(pair.Send(0, 0, 9, 8_000));
                sent++;
            }

            int before = pair.Logs[0].RoomCalls;
            pair.Round();
            pair.Until(() => pair.Logs[0].RoomCalls > before, "no room again");
        }

        pair.Round();
        pair.Round();
        Assert.True(sent > 2_000, $"{sent}");
        Assert.InRange(pair.Logs[1].Count - received, 1, sent);
    }

    [Fact]
    public void Sending_and_receiving_allocates_nothing()
    {
        using var pair = Pair(Four, [("Mtu", "1500")]);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        pair.Logs[0].CountsOnly = pair.Logs[1].CountsOnly = true;
        void Pass(int rounds)
        {
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < 8; i++)
                {
                    pair.Send(0, 0, 1, 1_500);
                    pair.Send(1, 1, 2, 60);
                }

                // Less than a keep-alive's time, but the same calls.
                pair.Now -= PortPair.Millisecond;
                pair.Round();
                pair.Ports[0].Wait(pair.Now, pair.Now);
            }
        }

        // The runtime itself allocates a little now and then while it compiles again; what frames allocate would be
        // there in every pass.
        Pass(500);
        long least = long.MaxValue;
        for (int attempt = 0; attempt < 5 && least > 0; attempt++)
        {
            long count = pair.Logs[0].Count + pair.Logs[1].Count,
                before = GC.GetAllocatedBytesForCurrentThread();
            Pass(500);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Equal(8_000, pair.Logs[0].Count + pair.Logs[1].Count - count);
        }

        Assert.Equal(0, least);
    }

    [Fact]
    public void A_wake_ends_a_wait()
    {
        using var pair = Pair(Four);
        UdpPorts ports = pair.Open(0);
        ports.Wake();
        ports.Wait(0, long.MaxValue);
        ports.Wait(0, 1);
        ports.Close();
        ports.Wake();
        pair.Ports[0] = null!;
    }

    private protected PortPair Pair(
        string[] local,
        (string Name, string Value)[]? settings = null,
        string[]? hosts = null
    ) => new(local, [.. settings ?? [], ("Via", Via)], hosts);

    // A program that another test is starting has all descriptors of this process until it runs, so a port may be taken
    // for a moment after its socket was closed.
    private static void BindWhenFree(Socket socket, IPEndPoint at)
    {
        long began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                socket.Bind(at);
                return;
            }
            catch (SocketException e)
                when (e.SocketErrorCode == SocketError.AddressAlreadyInUse
                    && TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(10)
                )
            {
                Thread.Sleep(1);
            }
        }
    }
}
