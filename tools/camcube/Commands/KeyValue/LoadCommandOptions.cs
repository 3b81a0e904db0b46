using System.CommandLine;
using CamCube.Loads.Choosing;
using CamCube.Loads.Operations;
using CamCube.Loads.Settings;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>What <c>kv load</c> is told.</summary>
internal sealed class LoadCommandOptions
{
    private const int RedisPort = 6379;
    private const int EtcdPort = 2379;
    private const string Http = "http://";

    // One byte tells records apart as little as none does.
    private const int MostValue = 64 << 20;

    private readonly Option<string> _target = Values.Words("--target", "What is asked", ["cube", "redis", "etcd"]);
    private readonly Option<string[]> _endpoints = new("--endpoint")
    {
        Description = "A server, as in 10.0.0.5:6379; as often as wanted. Of a cube also http://10.0.0.5:8200",
        HelpName = "HOST:PORT",
    };
    private readonly Option<string> _workload = Values.Words(
        "--workload",
        "The workload of YCSB",
        [.. Workload.Core.Select(static one => one.Name)]
    );
    private readonly Option<OperationMix?> _mix = new("--mix")
    {
        Description = $"Another mix, of {string.Join(", ", OperationMix.Names)}: get=80,put=15,incr=5",
        HelpName = "MIX",
        CustomParser = Values.Of<OperationMix>(
            OperationMix.TryParse,
            $"must be kinds with their parts, as in get=80,put=15,incr=5; there are {string.Join(
                ", ",
                OperationMix.Names
            )}"
        ),
    };
    private readonly Option<string?> _keys = new("--keys")
    {
        Description = "Which records are asked for: zipfian, latest or uniform; as the workload says if not given",
        HelpName = "WHICH",
        CustomParser = Values.Of<string?>(
            static (string text, out string? value) => (value = text) is "zipfian" or "latest" or "uniform",
            "must be zipfian, latest or uniform"
        ),
    };
    private readonly Option<int> _records = Values.Whole("--records", "Records", 10_000, 1, 1_000_000_000);
    private readonly Option<ByteCount> _value = new("--value-size")
    {
        Description = "Bytes of a value (1B to 64MiB)",
        HelpName = "SIZE",
        DefaultValueFactory = static _ => new ByteCount(1_000),
        CustomParser = Values.Of<ByteCount>(
            static (string text, out ByteCount count) =>
                ByteCount.TryParse(text, out count) && count.Bytes <= MostValue,
            "must be a number of bytes, as in 1kB, from 1B to 64MiB"
        ),
    };
    private readonly Option<int> _operations = Values.Whole(
        "--operations",
        "Operations after which the run ends; 0: none",
        0,
        0,
        2_000_000_000
    );
    private readonly Option<Duration> _time = Values.Time(
        "--for",
        "How long the run is; with --operations, at most",
        TimeSpan.FromSeconds(10),
        TimeSpan.FromMilliseconds(100),
        TimeSpan.FromHours(24)
    );
    private readonly Option<int> _connections = Values.Whole("--connections", "Connections", 50, 1, 10_000);
    private readonly Option<int> _pipeline = Values.Whole(
        "--pipeline",
        "Operations on their way at a time on each connection",
        1,
        1,
        10_000
    );
    private readonly Option<int> _loops = Values.Whole("--loops", "Threads that share the connections", 1, 1, 64);
    private readonly Option<int> _rate = Values.Whole(
        "--rate",
        "Operations that begin in each second, whether or not others have ended; 0: when one has",
        0,
        0,
        100_000_000
    );
    private readonly Option<Duration> _patience = Values.Time(
        "--timeout",
        "How long an answer is waited for",
        TimeSpan.FromSeconds(5),
        TimeSpan.FromMilliseconds(10),
        TimeSpan.FromMinutes(10)
    );
    private readonly Option<string> _prefix = new("--prefix")
    {
        Description = "What all keys begin with",
        HelpName = "TEXT",
        DefaultValueFactory = static _ => "ycsb:",
        CustomParser = Values.Of<string>(
            static (string text, out string value) => (value = text).Length <= 1_024,
            "must have at most 1,024 letters"
        ),
    };
    private readonly Option<int> _table = Values.Whole("--table", "The table; of Redis the database", 0, 0, 15);
    private readonly Option<string> _phases = new("--phases")
    {
        Description = "What is done: load puts all records, run asks, remove deletes them",
        HelpName = "PHASES",
        DefaultValueFactory = static _ => "load,run,remove",
        CustomParser = Values.Of<string>(
            static (string text, out string value) => TryReadPhases(value = text, out _),
            "must be some of load, run and remove, as in load,run"
        ),
    };
    private readonly Option<string?> _user = RedisUser.Option();
    private readonly Option<ulong> _seed = Values.Seed();
    private readonly Option<string?> _plot = new("--plot")
    {
        Description = "Draws times and rates into an SVG file",
        HelpName = "FILE",
    };

    /// <summary>Adds them.</summary>
    public void AddTo(Command command)
    {
        Option[] all =
        [
            _target,
            _endpoints,
            _workload,
            _mix,
            _keys,
            _records,
            _value,
            _operations,
            _time,
            _connections,
            _pipeline,
            _loops,
            _rate,
            _patience,
            _prefix,
            _table,
            _user,
            _phases,
            _seed,
            _plot,
        ];
        foreach (Option option in all)
        {
            command.Add(option);
        }

        command.Validators.Add(result =>
        {
            if (result.GetResult(_mix) is { Implicit: false } && result.GetResult(_workload) is { Implicit: false })
            {
                result.AddError("--mix is another mix than that of --workload: give one of them.");
            }

            // By its text: a wrong one has no value, and is said to be wrong elsewhere.
            string target = result.GetResult(_target)?.Tokens.FirstOrDefault()?.Value ?? "";
            if (target is "redis" or "etcd" && result.GetResult(_endpoints) is null or { Implicit: true })
            {
                result.AddError($"--target {target} needs an --endpoint, as in 127.0.0.1:6379.");
            }
        });
    }

    /// <summary>How much of what.</summary>
    public LoadOptions Read(ParseResult parsed)
    {
        Workload workload = Workload.Core.First(one => one.Name == parsed.GetRequiredValue(_workload));
        if (parsed.GetValue(_mix) is { } mix)
        {
            workload = new Workload("own", mix, KeyDistribution.Zipfian);
        }

        if (parsed.GetValue(_keys) is { } keys)
        {
            workload = workload with { Distribution = Enum.Parse<KeyDistribution>(keys, ignoreCase: true) };
        }

        return new LoadOptions
        {
            Workload = workload,
            Records = parsed.GetValue(_records),
            ValueLength = (int)parsed.GetValue(_value).Bytes,
            Operations = parsed.GetValue(_operations),

            // Who says how many operations, and no time, wants all of them.
            Time =
                parsed.GetValue(_operations) > 0 && parsed.GetResult(_time) is null or { Implicit: true }
                    ? Timeout.InfiniteTimeSpan
                    : parsed.GetValue(_time).Value,
            Connections = parsed.GetValue(_connections),
            Pipeline = parsed.GetValue(_pipeline),
            Loops = parsed.GetValue(_loops),
            Rate = parsed.GetValue(_rate),
            Patience = parsed.GetValue(_patience).Value,
            Seed = parsed.GetValue(_seed),
            Prefix = parsed.GetRequiredValue(_prefix),
            Table = parsed.GetValue(_table),
            Login = RedisUser.Find(parsed.GetValue(_user)),
        };
    }

    /// <summary>What is done.</summary>
    public LoadPhase PhasesIn(ParseResult parsed) =>
        TryReadPhases(parsed.GetRequiredValue(_phases), out LoadPhase phases) ? phases : LoadPhase.None;

    /// <summary>The file of the picture, or null.</summary>
    public string? PlotIn(ParseResult parsed) => parsed.GetValue(_plot);

    /// <summary>What is spoken, and where.</summary>
    public async Task<(LoadTarget, IReadOnlyList<LoadEndpoint>)> TargetAsync(
        ParseResult parsed,
        CommonOptions common,
        CancellationToken cancel
    )
    {
        string target = parsed.GetRequiredValue(_target);
        if (parsed.GetValue(_endpoints) is not { Length: > 0 } given)
        {
            return await KeyValueClient.FindLoadedAsync(parsed.GetRequiredValue(common.Host), cancel);
        }

        bool isHttp = target == "cube" && given[0].StartsWith(Http, StringComparison.OrdinalIgnoreCase);
        List<LoadEndpoint> endpoints = [];
        foreach (string text in given)
        {
            bool hasHttp = text.StartsWith(Http, StringComparison.OrdinalIgnoreCase);
            string rest = hasHttp ? text[Http.Length..].TrimEnd('/') : text;
            int port =
                isHttp ? 80
                : target == "etcd" ? EtcdPort
                : RedisPort;
            if (
                !LoadEndpoint.TryParse(rest, port, out LoadEndpoint endpoint)
                || (hasHttp && !isHttp && target != "etcd")
            )
            {
                throw new ToolException(
                    ExitCode.Usage,
                    $"--endpoint {text} is no server such as 127.0.0.1:{port}"
                        + (target == "cube" ? ", or all of them are such as http://127.0.0.1:8200." : ".")
                );
            }

            if (isHttp != hasHttp && target == "cube")
            {
                throw new ToolException(ExitCode.Usage, "--endpoint: some are asked over HTTP, some are not.");
            }

            endpoints.Add(endpoint);
        }

        return (
            target == "etcd" ? LoadTarget.Etcd
            : isHttp ? LoadTarget.Http
            : LoadTarget.Redis,
            endpoints
        );
    }

    /// <summary>Refuses what a target does not have.</summary>
    public static void Check(LoadTarget target, LoadOptions load)
    {
        if (target == LoadTarget.Etcd && load.Workload.Mix.Kinds.Contains(OperationKind.Increment))
        {
            throw new ToolException(ExitCode.Usage, "--mix with incr: etcd does not add to numbers.");
        }

        if (target == LoadTarget.Etcd && load.Table != 0)
        {
            throw new ToolException(ExitCode.Usage, "--table: etcd has no tables.");
        }

        if (target == LoadTarget.Http && load.Pipeline > 1)
        {
            throw new ToolException(ExitCode.Usage, "--pipeline: over HTTP a connection has one request at a time.");
        }

        if (target != LoadTarget.Redis && load.Loops > 1)
        {
            throw new ToolException(ExitCode.Usage, "--loops: only loads over Redis' protocol have loops.");
        }
    }

    private static bool TryReadPhases(string text, out LoadPhase phases)
    {
        phases = LoadPhase.None;
        foreach (string word in text.Split(','))
        {
            LoadPhase phase = word switch
            {
                "load" => LoadPhase.Load,
                "run" => LoadPhase.Run,
                "remove" => LoadPhase.Remove,
                _ => LoadPhase.None,
            };
            if (phase == LoadPhase.None || phases.HasFlag(phase))
            {
                return false;
            }

            phases |= phase;
        }

        return true;
    }
}
