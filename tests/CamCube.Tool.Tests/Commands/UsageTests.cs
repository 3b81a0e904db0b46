namespace CamCube.Tool.Tests.Commands;

public sealed class UsageTests
{
    [Theory]
    [InlineData("frobnicate", "'frobnicate' is no command")]
    [InlineData("server", "Required command was not provided")]
    [InlineData("server frobnicate 3", "'frobnicate' is no command")]
    [InlineData("server stop", "Required argument 'SERVER' missing")]
    [InlineData("server stop one", "'one' is not a server")]
    [InlineData("server stop 1,1", "'1,1' is not a server")]
    [InlineData("cable cut 0", "Required argument 'DIRECTION' missing")]
    [InlineData("cable cut 0 x", "'x' is not a direction")]
    [InlineData("cable cut 0 -q", "'-q' is not a direction")]
    [InlineData("cable cut 0 local", "'local' is not a direction")]
    [InlineData("ping 0", "Required argument 'TO' missing")]
    [InlineData("ping 0 1 2", "'2' is no command, option or argument")]
    [InlineData("ping 0 1 --count 0", "--count '0' must be a whole number from 1 to 10,000")]
    [InlineData("ping 0 1 --size -1", "--size '-1' must be a whole number")]
    [InlineData("ping 0 1 --timeout 5", "--timeout '5' must be a time with its unit")]
    [InlineData("ping 0 1 --timeout 2m", "--timeout '2m' must be a time with its unit")]
    [InlineData("stream 0", "Required argument 'TO' missing")]
    [InlineData("stream 0 nobody", "'nobody' is not a server")]
    [InlineData("stream 0 1 --bytes 0", "--bytes '0' must be a number of bytes from 1 to 100TB")]
    [InlineData("stream 0 1 --bytes -1", "--bytes '-1' must be a number of bytes")]
    [InlineData("stream 0 1 --bytes 1e30", "--bytes '1e30' must be a number of bytes")]
    [InlineData("stream 0 1 --count 0", "--count '0' must be a whole number from 1 to 1,000")]
    [InlineData("stream 0 1 --count 1000000", "--count '1000000' must be a whole number from 1 to 1,000")]
    [InlineData("stream 0 1 --paths two", "--paths 'two' must be all, one, or a direction, as in +x or px")]
    [InlineData("stream 0 1 --paths local", "--paths 'local' must be all, one, or a direction")]
    [InlineData("stream 0 1 --time 0s", "--time '0s' must be a time with its unit")]
    [InlineData("stream 0 1 --time 10", "--time '10' must be a time with its unit")]
    [InlineData("status --host ftp://127.0.0.1", "--host 'ftp://127.0.0.1' must be an address")]
    [InlineData("status @file", "'@file' is no command, option or argument")]
    [InlineData("sim all-to-all --host 127.0.0.1:1", "sim runs in this process")]
    [InlineData("experiment fig9 --out x", "'fig9' is no figure; there are fig5a")]
    [InlineData("sim swarm --host 127.0.0.1:1", "sim runs in this process")]
    [InlineData("sim swarm --seeds 9..3", "--seeds '9..3' is empty: the first seed is larger than the last")]
    [InlineData("sim swarm --seeds 1..", "--seeds '1..' must be a seed or a range of them")]
    [InlineData("sim explore --from nowhere", "--from 'nowhere' must be blank, born or led")]
    [InlineData("sim explore --from 1", "--from '1' must be blank, born or led")]
    [InlineData("sim explore --plant weeds", "--plant 'weeds' must be epochEarly, voteUnsynced, holdShort, recover")]
    [InlineData("sim swarm --seeds one", "--seeds 'one' must be a seed or a range of them")]
    [InlineData("sim swarm --seeds 1..9999999", "--seeds '1..9999999' has too many seeds")]
    [InlineData("sim swarm --shape 0x3x3", "--shape 0x3x3: each axis size must be from 1 to 65535")]
    [InlineData("sim swarm --shape 32x32x32", "--shape 32x32x32: a swarm run has at most 4096 servers")]
    [InlineData("sim swarm --faults crash,fire", "--faults: there is no fault 'fire'; there are crash, restart, cut,")]
    [InlineData(
        "sim swarm --services keys,mail",
        "--services: there is no service 'mail'; there are keys, pings, cache, messenger, streams, trees, tunnel,"
    )]
    [InlineData("testbed up --host 127.0.0.1:1", "testbed asks no host")]
    [InlineData("testbed up --name UP", "--name 'UP' must be up to 32 small letters, digits and hyphens")]
    [InlineData("testbed up --shape 1x1x1", "--shape 1x1x1: a testbed has 2 to 512 servers")]
    [InlineData("testbed up --shim tcp", "--shim 'tcp' must be ethernet, udp or switch")]
    [InlineData("testbed up --set Http:Port=1", "--set 'Http:Port=1': the testbed sets CamCube:Http:Port itself")]
    [InlineData("testbed up --set Http:Port", "--set 'Http:Port' must be a setting and its value")]
    [InlineData("testbed up --mtu 9217", "--mtu '9217' must be a whole number from 576 to 9,216")]
    [InlineData("testbed kill 0 --signal SEGV", "--signal 'SEGV' is not one of the signals HUP, INT")]
    [InlineData("testbed cut 0", "'0' is not a cable; name a server and a direction")]
    [InlineData("testbed cut 0:+x --silent --one-way", "--one-way and --silent do not go together")]
    [InlineData("kv record h --target etcd", "--target 'etcd' must be cube or redis")]
    [InlineData("kv record h --target redis", "--target redis needs an --endpoint, as in 127.0.0.1:6379")]
    [InlineData("kv record h --endpoint h:1", "--endpoint is of --target redis, --front-end of a cube over HTTP")]
    [InlineData("kv load --target memcached", "--target 'memcached' must be cube, redis or etcd")]
    [InlineData("kv load --target redis", "--target redis needs an --endpoint, as in 127.0.0.1:6379")]
    [InlineData("kv load --workload e", "--workload 'e' must be a, b, c, d or f")]
    [InlineData("kv load --mix scan=1", "--mix 'scan=1' must be kinds with their parts, as in get=80,put=15,incr=5")]
    [InlineData("kv load --mix get=1 --workload a", "--mix is another mix than that of --workload")]
    [InlineData("kv load --keys hot", "--keys 'hot' must be zipfian, latest or uniform")]
    [InlineData("kv load --records 0", "--records '0' must be a whole number from 1 to 1,000,000,000")]
    [InlineData("kv load --value-size 65MiB", "--value-size '65MiB' must be a number of bytes, as in 1kB")]
    [InlineData("kv load --phases run,run", "--phases 'run,run' must be some of load, run and remove")]
    [InlineData("kv load --connections 10001", "--connections '10001' must be a whole number from 1 to 10,000")]
    [InlineData("sim swarm --workers 0", "--workers '0' must be a whole number from 1 to 64")]
    public async Task Wrong_usage_is_one_line_that_says_what_is_right(string arguments, string says)
    {
        CommandRun run = await CommandRun.OfAsync(arguments.Split(' '));
        Assert.Equal(2, run.ExitCode);
        string line = run.OnlyErrorLine();
        Assert.Contains(says, line, StringComparison.Ordinal);
        Assert.Contains("--help'", line, StringComparison.Ordinal);
    }
}
