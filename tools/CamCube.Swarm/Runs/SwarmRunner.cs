using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Camdoop;
using CamCube.Swarm.Collectives;
using CamCube.Swarm.Distributions;
using CamCube.Swarm.Files;
using CamCube.Swarm.Histories;
using CamCube.Swarm.Images;
using CamCube.Swarm.KeyValues;
using CamCube.Swarm.Messages;
using CamCube.Swarm.Recordings;
using CamCube.Swarm.Streams;
using CamCube.Swarm.Trees;
using CamCube.Swarm.Tunnels;

namespace CamCube.Swarm.Runs;

/// <summary>Runs many seeds on several threads, each seed on one, and hands the results over in the order of the
/// seeds.</summary>
public static class SwarmRunner
{
    /// <summary>Names of all services that a run draws from.</summary>
    public static IReadOnlyList<string> Services { get; } =
    [SwarmServices.Keys, SwarmServices.Pings, CacheWorkload.Name];

    /// <summary>Names of services that a run has only if it is asked for them: so seeds stay what they are; and those
    /// with planted bugs, which a run must find.</summary>
    public static IReadOnlyList<string> OnlyAsked { get; } =
    [
        MessengerWorkload.Name,
        StreamWorkload.Name,
        TreeWorkload.Name,
        TunnelWorkload.Name,
        TunnelWorkload.Outside,
        SwarmServices.Canary,
        MessengerWorkload.Astray,
        StreamWorkload.Forgetful,
        StreamWorkload.AnyRun,
        TreeWorkload.ResumesAt,
        TreeWorkload.AnyOrder,
        TunnelWorkload.Hasty,
        TunnelWorkload.Echoing,
        TunnelWorkload.Reflecting,
        TunnelWorkload.Sticking,
        .. CacheWorkload.OnlyAsked,
        .. KeyValueWorkload.Names,
        .. ImagesWorkload.Names,
        .. CamdoopWorkload.Names,
        .. FilesWorkload.Names,
        .. DistributionWorkload.Names,
        .. CollectivesWorkload.Names,
    ];

    /// <summary>Faults of disks and of looks at the clock that a service's workload asks for
    /// (<see cref="SwarmOptions.IsOnlyAsked"/>).</summary>
    public static IEnumerable<FaultKind> AskedBy(string service) => KeyValueWorkload.AskedBy(service);

    /// <summary>Runs all options.</summary>
    /// <param name="all">What to run, in order.</param>
    /// <param name="workers">Threads.</param>
    /// <param name="ended">Told of each result, in order, one at a time, from any thread.</param>
    /// <param name="cancel">Ends it early: results before the first run that was broken off have been handed
    /// over.</param>
    public static void Run(
        IReadOnlyList<SwarmOptions> all,
        int workers,
        Action<SwarmResult> ended,
        CancellationToken cancel
    )
    {
        var order = new Lock();
        var waiting = new Dictionary<int, SwarmResult>();
        int next = -1,
            handedOver = 0;
        Task[] running =
        [
            .. Enumerable
                .Range(0, Math.Min(workers, all.Count))
                .Select(_ =>
                    Task.Run(
                        () =>
                        {
                            for (
                                int i;
                                (i = Interlocked.Increment(ref next)) < all.Count && !cancel.IsCancellationRequested;

                            )
                            {
                                SwarmResult result = RunOne(all[i], cancel);
                                lock (order)
                                {
                                    waiting.Add(i, result);
                                    while (waiting.Remove(handedOver, out SwarmResult? first))
                                    {
                                        handedOver++;
                                        ended(first);
                                    }
                                }
                            }
                        },
                        CancellationToken.None
                    )
                ),
        ];
        try
        {
            Task.WaitAll(running, CancellationToken.None);
        }
        catch (AggregateException e) when (e.InnerExceptions.All(i => i is OperationCanceledException))
        {
            // What has ended before stays.
        }
    }

    /// <summary>Runs one with a recording.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="plan">What is to be recorded.</param>
    /// <param name="ended">Told of the result, unless it was ended early.</param>
    /// <param name="cancel">Ends it early. Files of what was recorded until then are whole.</param>
    /// <returns>The recording, or null if it was ended early.</returns>
    /// <exception cref="SwarmException">A file cannot be written, or the packet is never sent.</exception>
    public static Recording? RunRecorded(
        SwarmOptions options,
        RecordingPlan plan,
        Action<SwarmResult> ended,
        CancellationToken cancel
    )
    {
        try
        {
            (SwarmResult result, Recording? recording) = plan.Run(recorder => RunOne(options, cancel, recorder));
            ended(result);
            return recording;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private static bool HasStore(SwarmOptions options) =>
        KeyValueWorkload.IsWanted(options) || ImagesWorkload.IsWanted(options) || FilesWorkload.IsWanted(options);

    /// <summary>Runs one. What the program itself throws is a failure of the run like any other.</summary>
    public static SwarmResult RunOne(SwarmOptions options, CancellationToken cancel, IRunRecorder? recorder = null)
    {
        try
        {
            List<ISwarmWorkload> workloads = CacheWorkload.IsWanted(options)
                ? [new CacheWorkload(options, HasStore(options))]
                : [];
            if (MessengerWorkload.IsWanted(options))
            {
                workloads.Add(new MessengerWorkload(options));
            }

            if (StreamWorkload.IsWanted(options))
            {
                workloads.Add(new StreamWorkload(options));
            }

            if (TreeWorkload.IsWanted(options))
            {
                workloads.Add(new TreeWorkload(options));
            }

            if (TunnelWorkload.IsWanted(options))
            {
                workloads.Add(new TunnelWorkload(options));
            }

            if (KeyValueWorkload.IsWanted(options))
            {
                workloads.Add(new KeyValueWorkload(options));
            }

            if (DistributionWorkload.IsWanted(options))
            {
                workloads.Add(new DistributionWorkload(options));
            }

            if (CollectivesWorkload.IsWanted(options))
            {
                workloads.Add(new CollectivesWorkload(options));
            }

            if (FilesWorkload.IsWanted(options))
            {
                workloads.Add(new FilesWorkload(options));
            }

            if (CamdoopWorkload.IsWanted(options))
            {
                workloads.Add(new CamdoopWorkload(options));
            }

            if (ImagesWorkload.IsWanted(options))
            {
                workloads.Add(new ImagesWorkload(options));
            }

            return SwarmRun.Run(options, workloads, recorder, cancel);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            var failure = new CheckFailure("program", 0, e.ToString().ReplaceLineEndings(" | "));
            return new SwarmResult(options, [failure], 1, new SwarmTally(), [], 0, 0, 0);
        }
    }
}
