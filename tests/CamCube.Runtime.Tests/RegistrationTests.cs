using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class RegistrationTests
{
    private static readonly Coordinate There = new(1, 0, 0);

    [Fact]
    public void A_service_is_added_and_removed_while_the_server_runs()
    {
        Script late = new(),
            other = new();
        late.Stop = (_, reason) => late.Log.Add($"stop {reason}");
        using TestCube cube = new TestCube(2, 1, 1).Add(other.Define(0x0301));
        _ = cube.Cube;
        Foreign(other[0], 0x0400);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[1].DropsOf(DropReason.UnknownService));

        cube.Cube.AddService(1, late.Define(0x0400));
        Foreign(other[0], 0x0400);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, late[1].Ended);
        late[1].Rent(10);

        cube.Cube.RemoveService(1, new ServiceId(0x0400));
        Assert.Equal(["stop Removed"], late.Log);
        Foreign(other[0], 0x0400);
        other[0].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, cube[1].DropsOf(DropReason.UnknownService));
        Assert.Equal(1, other[1].Ended);
        cube.Cube.RemoveService(1, new ServiceId(0x0400));
        cube.Cube.RemoveService(1, new ServiceId(0x0999));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_server_has_room_for_sixty_four_services_however_often_they_change()
    {
        var scripts = new List<Script>();
        var cube = new TestCube(2, 1, 1);
        for (int i = 0; i < 60; i++)
        {
            scripts.Add(new Script());
            cube.Add(scripts[i].Define((ushort)(0x1000 + i)));
        }

        using (cube)
        {
            _ = cube.Cube;
            Script extra = new();
            int budget = cube[1].Status.PacketBudget;
            for (int round = 0; round < 100; round++)
            {
                for (int i = 0; i < 3; i++)
                {
                    cube.Cube.AddService(1, extra.Define((ushort)(0x2000 + (3 * round) + i)));
                }

                ArgumentException e = Assert.Throws<ArgumentException>(() =>
                    cube.Cube.AddService(1, extra.Define(0x3000))
                );
                Assert.Contains("64", e.Message, StringComparison.Ordinal);
                for (int i = 0; i < 3; i++)
                {
                    cube.Cube.RemoveService(1, new ServiceId((ushort)(0x2000 + (3 * round) + i)));
                }
            }

            Assert.Equal(budget, cube[1].Status.PacketBudget);
            cube.Cube.AddService(1, extra.Define(0x4000));
            Foreign(scripts[0][0], 0x4000);
            scripts[59][0].Launch(There);
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal(1, extra[1].Ended);
            Assert.Equal(1, scripts[59][1].Ended);
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void An_id_that_is_taken_is_refused_with_the_name_of_its_owner()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(0x0301));
        _ = cube.Cube;
        ArgumentException e = Assert.Throws<ArgumentException>(() =>
            cube.Cube.AddService(0, new Script().Define(0x0301))
        );
        Assert.Contains("0x0301", e.Message, StringComparison.Ordinal);
        Assert.Contains("scripted-0301", e.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => cube.Cube.AddService(0, new Script().Define(0x0001)));
        script[0].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[1].Ended);
    }

    [Fact]
    public void A_list_with_one_id_twice_or_too_many_services_or_impossible_settings_is_refused_before_anything_runs()
    {
        Script script = new();
        AssertRefused("0x0301", script.Define(0x0301), new Script().Define(0x0301));
        AssertRefused("0x0001", script.Define(0x0001));
        AssertRefused("64", [.. Enumerable.Range(0, 64).Select(i => script.Define((ushort)(0x0400 + i)))]);
        AssertRefused("Weight", script.Define(queue: new QueueOptions { Weight = 0 }));
        AssertRefused("Weight", script.Define(queue: new QueueOptions { Weight = 1_001 }));
        AssertRefused("Priority", script.Define(queue: new QueueOptions { Priority = 8 }));
        AssertRefused("Priority", script.Define(queue: new QueueOptions { Priority = 0 }));
        AssertRefused("LimitPackets", script.Define(queue: new QueueOptions { LimitPackets = 0 }));
        Assert.Equal(0, script.Made);
    }

    [Fact]
    public void Another_local_service_is_found_by_its_interface_and_again_after_its_restart()
    {
        Script user = new();
        Dependency<IGreeter>? greeter = null;
        using TestCube cube = new TestCube(1, 1, 1)
            .Add(
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0301),
                    Name = "user",
                    HeaderLength = 8,
                    Create = a =>
                    {
                        greeter = a.Dependency<IGreeter>();
                        Assert.False(greeter.IsAvailable);
                        return new Scripted(a, user);
                    },
                }
            )
            .Add(s => new Greeter(s));
        _ = cube.Cube;
        Assert.True(greeter!.IsAvailable);
        IGreeter first = greeter.Value;
        Assert.Equal("hello", first.Greet());

        cube[0].ServerOf<Greeter>().Loop.Post(static _ => throw new InvalidOperationException("restart me"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(greeter.IsAvailable);
        ServiceUnavailableException e = Assert.Throws<ServiceUnavailableException>(() => greeter.Value);
        Assert.Contains(nameof(IGreeter), e.Message, StringComparison.Ordinal);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.True(greeter.IsAvailable);
        Assert.NotSame(first, greeter.Value);
        Assert.Equal("hello", greeter.Value.Greet());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_service_that_needs_what_no_service_here_offers_is_told_of_by_name_when_it_starts(bool isOptional)
    {
        Script needy = new(),
            other = new();
        using TestCube cube = new TestCube(2, 1, 1)
            .Add(Needs<IGreeter>(0x0301, "needy", needy, isOptional))
            .Add(Needs<ICamCubeService>(0x0302, "other", other));
        _ = cube.Cube;
        string? words = isOptional ? null : "no service here offers IGreeter, which it needs";
        foreach (Coordinate server in new Coordinate[] { new(0, 0, 0), new(1, 0, 0) })
        {
            Assert.Equal(words, Missing(cube, server, "needy"));
            Assert.Null(Missing(cube, server, "other"));
        }

        // It runs all the same, also after a fault of its own; of the other nothing is said.
        needy[0].Server.Loop.Post(static _ => throw new InvalidOperationException("restart me"), null);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(3, needy.Made);
        Assert.Equal(words, Missing(cube, default, "needy"));
        cube.AssertOneFault<InvalidOperationException>("restart me");
    }

    [Fact]
    public void Who_starts_later_or_is_down_for_a_moment_is_not_missing()
    {
        Script first = new();
        using TestCube cube = new TestCube(1, 1, 1)
            .Add(Needs<IGreeter>(0x0301, "first", first))
            .Add(s => new Greeter(s));
        _ = cube.Cube;
        Assert.Null(Missing(cube, default, "first"));
        cube[0].ServerOf<Greeter>().Loop.Post(static _ => throw new InvalidOperationException("restart me"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(Missing(cube, default, "first"));
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(Missing(cube, default, "first"));
    }

    private static string? Missing(TestCube cube, Coordinate server, string service) =>
        cube[server].Status.Services.Single(one => one.Name == service).Missing;

    private static ServiceDefinition Needs<T>(ushort id, string name, Script script, bool isOptional = false)
        where T : class =>
        new()
        {
            Id = new ServiceId(id),
            Name = name,
            HeaderLength = 8,
            Create = a =>
            {
                _ = a.Dependency<T>(isOptional);
                return new Scripted(a, script);
            },
        };

    [Fact]
    public void Work_of_others_is_not_run_inside_a_callback_when_a_service_that_it_calls_ends()
    {
        Script script = new();
        Dependency<IGreeter>? greeter = null;
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            self.Server.Loop.Post(_ => script.Log.Add("posted"), null);
            script.Log.Add("before");
            greeter!.Value.Break();
            script.Log.Add("after");
            return Verdict.Consume;
        };
        using TestCube cube = new TestCube(1, 1, 1)
            .Add(
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0301),
                    Name = "user",
                    HeaderLength = 8,
                    Create = a =>
                    {
                        greeter = a.Dependency<IGreeter>();
                        return new Scripted(a, script);
                    },
                }
            )
            .Add(s => new Greeter(s));
        _ = cube.Cube;
        script[0].Launch(default(Coordinate));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["before", "after", "posted"], script.Log);
        cube.AssertOneFault<InvalidOperationException>("broken");
        cube.AssertNoPackets();
    }

    [Fact]
    public void Counters_outlive_a_restart_and_a_name_is_one_counter()
    {
        Script script = new();
        script.Start = self => self.Server.Counters.Create("starts", "{start}").Add();
        using TestCube cube = new TestCube(1, 1, 1).Add(script.Define());
        _ = cube.Cube;
        script[0].Server.Loop.Post(static _ => throw new InvalidOperationException("restart me"), null);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(2, cube[0].Status.Services[1].Counters.Single(c => c.Name == "starts").Value);
        Assert.Equal(1, cube[0].Status.Services[1].Faults);
        Assert.Same(
            script[0].Server.Counters.Create("starts", "{start}"),
            script[0].Server.Counters.Create("starts", "{start}")
        );
    }

    private static void AssertRefused(string word, params ServiceDefinition[] definitions)
    {
        var cube = new TestCube(1, 1, 1);
        Array.ForEach(definitions, d => cube.Add(d));
        Assert.Contains(word, Assert.Throws<ArgumentException>(() => cube.Cube).Message, StringComparison.Ordinal);
    }

    private static void Foreign(Scripted self, ushort service)
    {
        Packet packet = self.Rent();
        packet.Service = new ServiceId(service);
        self.Server.Send(packet, There);
    }

    private interface IGreeter
    {
        string Greet();

        void Break();
    }

    [CamCubeService(0x0311, "greeter")]
    private sealed class Greeter(IServer server) : CamCubeService, IGreeter
    {
        public string Greet() => "hello";

        public void Break() => server.Loop.Run(static () => throw new InvalidOperationException("broken"));
    }
}
