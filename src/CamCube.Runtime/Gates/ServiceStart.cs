using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Gates;

/// <summary>Somebody wants a service to run again.</summary>
internal sealed class ServiceStart(ServerGate gate, string service) : LoopWork
{
    private readonly TaskCompletionSource<CommandResult> _result = new(
        gate.Inbox.ContinuesInline ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously
    );

    public Task<CommandResult> Result => _result.Task;

    public override void Execute()
    {
        ServerRuntime? server = gate.Current;
        if (server is null)
        {
            _result.TrySetResult(CommandResult.Not(CommandStatus.NotRunning, $"server {gate.Coordinate} is stopped."));
            return;
        }

        if (server.Host.FindAny(service) is not { } slot)
        {
            _result.TrySetResult(
                CommandResult.Not(
                    CommandStatus.NotFound,
                    ServiceWords.NoService(
                        service,
                        gate.Coordinate,
                        server.Host.Slots.Where(s => !s.IsRemoved).Select(s => s.Definition.Name)
                    )
                )
            );
            return;
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        server.Host.StartAgain(slot);
        server.Context.Touched(server.Rank);
        _result.TrySetResult(
            slot.State == ServiceState.Running
                ? CommandResult.Done
                : CommandResult.Not(
                    CommandStatus.NotRunning,
                    ServiceWords.NotRunning(service, gate.Coordinate, slot.State, slot.LastFault)
                )
        );
    }
}
