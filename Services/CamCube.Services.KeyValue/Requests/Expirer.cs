using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Deletes keys whose time is over: each by a request like anybody's, under the condition that the version still is the
/// one that ends. So it is an entry of its group's log, and does not come back, whoever leads later. Who leads does it;
/// others, a little later, if that is not done: it may know of the key for a shorter time than they. Loop only.
/// </summary>
internal sealed class Expirer
{
    private const int MostAtOnce = 32;
    private readonly IServer _server;
    private readonly MemberHost _host;
    private readonly KeyHasher _hasher;
    private readonly AskingSide _asking;
    private readonly ServerTimer _timer;
    private readonly long _laterNanos;
    private int _running;
    private bool _isStopped;

    public Expirer(IServer server, MemberHost host, KeyHasher hasher, AskingSide asking, TimeSpan timeout)
    {
        (_server, _host, _hasher, _asking) = (server, host, hasher, asking);
        _laterNanos = (long)timeout.TotalNanoseconds;
        _timer = server.CreateTimer(Look);
        host.Expiries.Sooner = Arm;
    }

    public void Stop()
    {
        _isStopped = true;
        _timer.Cancel();
    }

    private void Arm()
    {
        if (!_isStopped && _host.Expiries.Next is { } due)
        {
            _timer.ArmAt(Math.Max(due, _server.NowNanos));
        }
    }

    private void Look()
    {
        while (_running < MostAtOnce && _host.Expiries.TryTake(out (uint Group, UInt128 Key, ulong Version) ended))
        {
            if (
                !_host.Index.TryGet(ended.Group, ended.Key, out IndexEntry entry)
                || entry.Version != ended.Version
                || entry.IsDeleted
            )
            {
                continue;
            }

            // Before the second time it is deleted, if all is well.
            bool isLate = entry.DueNanos + _laterNanos <= _server.NowNanos;
            if (_host.IsOpen && (isLate || _host.Find(new GroupId(ended.Group)) is { Leads: true }))
            {
                _running++;
                _server.Loop.Run(() => DeleteAsync(ended.Group, ended.Key, entry));
            }
            else
            {
                Again(ended.Group, ended.Key, ended.Version);
            }
        }

        if (_running < MostAtOnce)
        {
            Arm();
        }
    }

    private void Again(uint group, UInt128 key, ulong version) =>
        _host.Expiries.Add(group, key, version, _server.NowNanos + _laterNanos);

    private async ValueTask DeleteAsync(uint group, UInt128 name, IndexEntry entry)
    {
        var reader = new KeyReader(_host.LogOf(group)!);
        int table = new GroupId(group).Table;
        KeyValueStatus status = KeyValueStatus.Unavailable;
        if (await reader.ReadAsync(entry.Location) is { } key && _hasher.Of(table, key.Span) == name)
        {
            var delete = new Asking
            {
                Type = RequestType.Delete,
                Key = new KeyValueKey(key, table),
                Condition = KeyValueCondition.Is(entry.Version),
            };
            status = (await _asking.AskAsync(delete)).Status;
        }

        _running--;
        if (status is not (KeyValueStatus.Done or KeyValueStatus.Conflict))
        {
            Again(group, name, entry.Version);
        }

        Arm();
    }
}
