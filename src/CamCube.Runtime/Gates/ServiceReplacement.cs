using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Gates;

/// <summary>Somebody wants other code in the places of services of one server.</summary>
internal sealed class ServiceReplacement(
    ServerGate gate,
    CubeContext context,
    int rank,
    IReadOnlyList<ServiceDefinition> next
) : LoopWork
{
    private readonly TaskCompletionSource<ReplaceResult> _result = new(
        gate.Inbox.ContinuesInline ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously
    );

    public Task<ReplaceResult> Result => _result.Task;

    public override void Execute()
    {
        if (gate.Inbox.IsClosed)
        {
            _result.TrySetResult(ReplaceResult.Refused("the servers of this process have ended."));
            return;
        }

        IReadOnlyList<ServiceDefinition> there = context.ServicesOf(rank);
        if (next.FirstOrDefault(one => !there.Any(old => old.Id == one.Id && old.Name == one.Name)) is { } stranger)
        {
            _result.TrySetResult(
                ReplaceResult.Refused($"server {gate.Coordinate} has no service {stranger.Id} '{stranger.Name}'.")
            );
            return;
        }

        if (gate.Current is not { } server)
        {
            context.Replace(rank, next);
            _result.TrySetResult(ReplaceResult.Later);
            return;
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        string? reason = server.Host.Replace(next);
        server.Context.Touched(server.Rank);
        if (reason is null)
        {
            context.Replace(rank, next);
        }

        _result.TrySetResult(reason is null ? ReplaceResult.Done : ReplaceResult.Refused(reason));
    }
}
