using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;

namespace CamCube.Runtime.Engine;

/// <summary>Begin and end of a server's run, and what happens when a callback on its packet path throws.</summary>
internal static class ServerLifecycle
{
    private static readonly ServiceDefinition LinkState = new()
    {
        Id = new ServiceId(LinkStateService.Id),
        Name = "link-state",
        HeaderLength = LinkStateService.HeaderLength,
        OnFault = FaultPolicy.Restart,
        Queue = new QueueOptions { Priority = 0, LimitPackets = 256 },
        Create = activation =>
        {
            var view = (ServiceView)activation.Server;
            return new LinkStateService(new CoreServer(view.Runtime, view));
        },
    };

    /// <summary>Starts the link-state service and then all others, at a time.</summary>
    public static void Start(ServerRuntime server, LinkDriver driver, long now)
    {
        server.Context.LoopThread = Environment.CurrentManagedThreadId;
        server.Attach(driver);
        server.Now = now;
        foreach (ref LinkTally link in server.Counters.Links.AsSpan())
        {
            (link.HeardNanos, link.SentNanos) = (long.MinValue, long.MinValue);
        }

        server.Host.AddAll([LinkState, .. server.Context.ServicesOf(server.Rank)]);
        server.Gate.Current = server;
        foreach (ServiceSlot slot in server.Host.Slots)
        {
            server.Host.Start(slot);
        }

        LookAtFiles(server);
    }

    // Tells the host if another host has the files; each operation on them ends as such anyway.
    private static void LookAtFiles(ServerRuntime server)
    {
        if (server.Context.Data is not { } data)
        {
            return;
        }

        ServerFolder folder = data.Of(server.Coordinate);
        ServiceView view = server.Host.SlotAt(0).View;
        view.Loop.Run(async () =>
        {
            DiskStatus status = await FolderJob<DiskStatus>
                .Start(
                    view,
                    () =>
                    {
                        folder.Claim(create: false);
                        return DiskStatus.Done;
                    },
                    static status => status
                )
                .ConfigureAwait(true);
            if (status == DiskStatus.InUse)
            {
                server.Context.Events.DataFolderInUse(server.Coordinate, folder.Path);
            }
        });
    }

    /// <summary>Stops all services and gives up all packets. Afterwards only late continuations may still run. Null for
    /// a reason: the power failed, and no service is told.</summary>
    public static void Stop(ServerRuntime server, StopReason? reason)
    {
        server.IsStopped = true;
        server.Gate.Current = null;
        server.Host.StopAll(reason);
        server.Dispatch.DropAll();
        server.Context.Chunks.Flush();
        server.Hot.Ref.Clear();
    }

    /// <summary>
    /// The one handler around a step: finds the service whose code threw, takes back the packet it had, and contains
    /// the fault. False: no service was running, so the error is the runtime's own and must not be hidden. To be called
    /// in a catch block, not in a filter, which would run before the service's own finally blocks.
    /// </summary>
    public static bool TryContain(ServerRuntime server, Exception e)
    {
        int culprit = server.TakeCulprit();
        server.Host.EndPoll();
        if (culprit < 0)
        {
            return false;
        }

        server.Host.Fault(server.Host.SlotAt(culprit), e);

        // The round of deferred work that it broke off goes on.
        server.Defer();
        return true;
    }
}
