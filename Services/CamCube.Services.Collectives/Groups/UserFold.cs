using System.Runtime.ExceptionServices;

namespace CamCube.Services.Collectives.Groups;

/// <summary>
/// Blocks of one tree that a function of a service's own makes one, off the loop, one after the other. All that the
/// function sees is a copy: what it does late changes nothing. Loop only, but for <see cref="Combine"/>.
/// </summary>
internal sealed class UserFold
{
    // What a server's workers refuse is offered again after so long.
    private static readonly TimeSpan BusyPause = TimeSpan.FromMilliseconds(1);
    private readonly Group _group;
    private readonly Action<UserFold> _ended;
    private readonly Func<ValueTask> _run;
    private readonly byte[] _into = new byte[GroupTerms.Block];
    private readonly byte[][] _theirs;
    private ReduceFunction? _function;
    private OffloadResult<bool> _outcome;

    /// <summary>Nothing to do.</summary>
    /// <param name="group">Whose tree it is; it ends where the function fails.</param>
    /// <param name="children">How many children there are.</param>
    /// <param name="ended">Told, on the loop, when a block is done.</param>
    public UserFold(Group group, int children, Action<UserFold> ended)
    {
        (_group, _ended, _run) = (group, ended, RunAsync);
        _theirs = new byte[children][];
        for (int child = 0; child < children; child++)
        {
            _theirs[child] = new byte[GroupTerms.Block];
        }
    }

    /// <summary>Bytes that are with the function now; 0: it is done with them.</summary>
    public int Count { get; private set; }

    /// <summary>The result.</summary>
    public ReadOnlySpan<byte> Result => _into.AsSpan(0, Count);

    /// <summary>Gives a block to the function: this member's and all children's, which are taken.</summary>
    public void Begin(ReduceFunction function, ReadOnlySpan<byte> own, ChildEdge[] children)
    {
        (_function, Count) = (function, own.Length);
        own.CopyTo(_into);
        ChildEdges.Take(children, _theirs, own.Length);
        _group.Terms.Server.Loop.Run(_run);
    }

    /// <summary>The block is done with.</summary>
    public void Clear() => Count = 0;

    private async ValueTask RunAsync()
    {
        ReduceFunction function = _function!;
        var options = new OffloadOptions
        {
            Deadline = function.Deadline,
            Cost = Count / function.ElementBytes * _theirs.Length * function.Cost,
        };
        IServer server = _group.Terms.Server;
        long began = server.NowNanos;
        do
        {
            _outcome = await function.Server.Work.OffloadAsync(
                static (UserFold fold, CancellationToken _) => fold.Combine(),
                this,
                options
            );
        } while (
            _outcome.Status == OffloadStatus.Busy
            && server.NowNanos - began < function.Deadline.TotalNanoseconds
            && await server.DelayAsync(BusyPause)
        );

        // Here it may still be that service's turn.
        server.Loop.Post(static fold => ((UserFold)fold!).End(), this);
    }

    private void End()
    {
        if (_outcome.Error is { } error)
        {
            // A fault of who gave it, with its stack, as if that had been called on the loop.
            _function!.Server.Loop.Post(static thrown => ExceptionDispatchInfo.Throw((Exception)thrown!), error);
        }

        if (_group.IsOver)
        {
            return;
        }

        if (_outcome.IsDone)
        {
            _ended(this);
        }
        else
        {
            bool hasThrown = _outcome.Status == OffloadStatus.Failed;
            _group.FailFunction(hasThrown ? CollectiveStatus.FunctionThrew : CollectiveStatus.FunctionLate);
        }
    }

    private bool Combine()
    {
        Span<byte> into = _into.AsSpan(0, Count);
        foreach (byte[] theirs in _theirs)
        {
            _function!.Combine(into, theirs.AsSpan(0, into.Length));
        }

        return true;
    }
}
