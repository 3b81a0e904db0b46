using CamCube.Calls;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache;

/// <summary>
/// Gives memory back in small steps: items of ended groups, expired items, copies, old answers. Nothing is wrong if it
/// runs late: what is expired or ended is not found. Its timer runs only while there is something to do. Loop only.
/// </summary>
internal sealed class Housekeeping
{
    private const int ReapStep = 1_024;
    private const int SweepStep = 2_048;
    private const int ShrinkStep = 1_024;
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private readonly IServer _server;
    private readonly ItemStore _store;
    private readonly RememberedAnswers<CacheReply> _answers;
    private readonly CopyTable _copies;
    private readonly RootSide _root;
    private readonly ServerTimer _timer;
    private readonly Action<object?> _reap;
    private bool _reaping;
    private bool _isStuck;
    private long _reapFromNanos = long.MinValue;

    public Housekeeping(
        IServer server,
        ItemStore store,
        RememberedAnswers<CacheReply> answers,
        CopyTable copies,
        RootSide root
    )
    {
        (_server, _store, _answers, _copies, _root) = (server, store, answers, copies, root);
        _timer = server.CreateTimer(OnTimer);
        _reap = _ => Reap();
    }

    /// <summary>Looks whether there is something to do. Cheap.</summary>
    public void Look()
    {
        if (!_reaping && (MayReap || (_store.IsShrinking && !_isStuck)))
        {
            _reaping = true;
            _server.Loop.Post(_reap, null);
        }

        if (
            !_timer.IsArmed
            && (_store.HasExpiring || _store.HasEnded || _store.IsShrinking || _answers.Count > 0 || _copies.HasAny)
        )
        {
            _timer.Arm(Interval);
        }
    }

    /// <summary>After flush_all: as memcached's, flushed items lie where they are for a while, and who asks for one is
    /// counted.</summary>
    public void Rest() => _reapFromNanos = _server.NowNanos + (long)Interval.TotalNanoseconds;

    private bool MayReap => _store.HasEnded && _server.NowNanos >= _reapFromNanos;

    private void Reap()
    {
        _reaping = false;
        if (MayReap)
        {
            _store.Reap(ReapStep, _root.Now);
        }

        _isStuck = _store.IsShrinking && !_store.Shrink(ShrinkStep, _root.Now);
        Look();
    }

    private void OnTimer()
    {
        _isStuck = false;
        _store.Sweep(SweepStep, _root.Now);
        _answers.Trim(_server.NowNanos);
        _copies.Sweep();
        Look();
    }
}
