using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Gates;

/// <summary>
/// One run of a command of a service, from any thread. What the command throws is counted and told to who asked; the
/// service goes on. It is over when the command is, or its service.
/// </summary>
internal sealed class CommandRun(ServerGate gate, CommandCall call) : LoopWork
{
    // The caller continues on a pool thread, not on the loop.
    private readonly TaskCompletionSource<CommandResult> _result = new(
        gate.Inbox.ContinuesInline ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously
    );

    private readonly CancellationTokenSource _cancel = new();
    private ServiceView? _view;
    private CancellationTokenRegistration _stopping;

    public Task<CommandResult> Result => _result.Task;

    /// <summary>Tells the command, on its loop, that nobody waits any more. Any thread.</summary>
    public void Cancel() => gate.Inbox.Post(new Cancellation(this));

    public override void Execute()
    {
        ServerRuntime? server = gate.Current;
        CommandResult? refusal = Find(server, out ServiceSlot? slot, out ServiceCommand? command);
        if (refusal is not null)
        {
            Finish(refusal);
            return;
        }

        server!.Now = Math.Max(server.Now, server.Context.NowNanos);
        _view = slot!.View;
        slot.CommandRuns++;
        _stopping = _view.Stopping.UnsafeRegister(static state => ((CommandRun)state!).Stopped(), this);
        ControlScope outer = server.EnterControl(_view, CallbackKind.Call);
        try
        {
            _ = RunAsync(command!);
        }
        finally
        {
            server.LeaveControl(outer);
            server.Context.Touched(server.Rank);
        }
    }

    // Awaits on the loop: the context of the service's work is there.
    private async Task RunAsync(ServiceCommand command)
    {
        CommandResult result;
        try
        {
            result = await command.RunAsync(call, _cancel.Token);
        }
        catch (OperationCanceledException) when (_cancel.IsCancellationRequested)
        {
            result = CommandResult.Not(
                CommandStatus.Cancelled,
                $"{call.Command} ended early: nobody waited for it any more."
            );
        }
        catch (Exception e)
        {
            result = CommandResult.Not(CommandStatus.Threw, $"{call.Command} threw {CommandText.Of(e)}");
            Threw(e);
        }

        _stopping.Dispose();
        Finish(result);
    }

    private void Threw(Exception e)
    {
        if (!_view!.IsStopped)
        {
            _view.Slot.CommandFaults++;
            _view.Runtime.Context.Events.CommandThrew(gate.Coordinate, call.Service, call.Command, e);
        }
    }

    private void Stopped()
    {
        Finish(
            CommandResult.Not(
                CommandStatus.NotRunning,
                $"service '{call.Service}' on server {gate.Coordinate} stopped while {call.Command} ran."
            )
        );
        _cancel.Cancel();
    }

    // Without a context: under that of a service a caller in virtual time would continue on the pool, at any time.
    private void Finish(CommandResult result)
    {
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            _result.TrySetResult(result);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    private CommandResult? Find(ServerRuntime? server, out ServiceSlot? slot, out ServiceCommand? command)
    {
        (slot, command) = (null, null);
        if (server is null)
        {
            return CommandResult.Not(CommandStatus.NotRunning, $"server {gate.Coordinate} is stopped.");
        }

        slot = server.Host.FindAny(call.Service);
        if (slot is null)
        {
            return CommandResult.Not(
                CommandStatus.NotFound,
                ServiceWords.NoService(
                    call.Service,
                    gate.Coordinate,
                    server.Host.Slots.Where(s => !s.IsRemoved).Select(s => s.Definition.Name)
                )
            );
        }

        if (slot.State != ServiceState.Running)
        {
            return CommandResult.Not(
                CommandStatus.NotRunning,
                ServiceWords.NotRunning(call.Service, gate.Coordinate, slot.State, slot.LastFault)
            );
        }

        command = slot.Commands.FirstOrDefault(c => c.Name == call.Command);
        if (command is null)
        {
            return CommandResult.Not(
                CommandStatus.NotFound,
                ServiceWords.NoCommand(call.Service, call.Command, slot.Commands)
            );
        }

        return command.Changes && !call.MayChange
            ? CommandResult.Not(
                CommandStatus.NeedsControl,
                $"{call.Command} of service '{call.Service}' changes something."
            )
            : null;
    }

    private sealed class Cancellation(CommandRun run) : LoopWork
    {
        public override void Execute()
        {
            if (run._view is not { IsStopped: false } view)
            {
                return;
            }

            ServerRuntime server = view.Runtime;
            server.Now = Math.Max(server.Now, server.Context.NowNanos);

            ControlScope outer = server.EnterControl(view, CallbackKind.Call);
            try
            {
                run._cancel.Cancel();
            }
            catch (AggregateException e)
            {
                // What the command does about it is the command's work.
                run.Threw(e.InnerException!);
            }
            finally
            {
                server.LeaveControl(outer);
                server.Context.Touched(server.Rank);
            }
        }
    }
}
