using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Foreign;

/// <summary>One port of the watch: whether it is listened on now, and what was heard. The watch's thread only, except
/// <see cref="Known"/>.</summary>
internal sealed class ForeignEar(CableSigns signs, Func<ForeignTap?> open) : IDisposable
{
    /// <summary>Frames of ours between two looks that make a cable busy.</summary>
    public const int Busy = 100;

    /// <summary>A busy cable is listened on in one of so many looks.</summary>
    public const int LooksPerBusyLook = 60;

    /// <summary>What was not seen for so many looks is not there any more.</summary>
    public const int Memory = 120;

    // What has not changed is told anew with newer counts after so many looks.
    private const int LooksPerCount = 5;

    // All are counted; few say what they are.
    private const int MostDecoded = 8;

    private readonly CableSigns _signs = signs;
    private ForeignTap? _tap;
    private ForeignFrame _best;
    private MacAddress _sender;
    private ForeignTraffic? _known;
    private int _index;
    private long _arrived;
    private long _frames;
    private long _lastMillis;
    private int _busyLooks;
    private int _silentLooks;
    private int _looksSinceTold;
    private bool _failed;

    /// <summary>What was heard last; null: nothing, for a while. Any thread.</summary>
    public ForeignTraffic? Known => Volatile.Read(ref _known);

    /// <summary>Whether it is listened on now.</summary>
    public bool IsOpen => _tap is not null;

    /// <summary>Looks at what came since the last look, and decides whether to listen until the next one. True: there
    /// is something new to be told.</summary>
    /// <param name="nowMillis">Milliseconds since 1970.</param>
    public bool Look(long nowMillis)
    {
        long arrived = _signs.Arrived;
        bool isBusy = arrived - _arrived >= Busy;
        _arrived = arrived;
        int index = _signs.Index;
        if (index != _index)
        {
            // Another interface: what was heard on the old one says nothing about it, nor whether it can be opened.
            Close();
            (_index, _best, _silentLooks, _failed) = (index, default, Memory, false);
        }

        bool isHeard = Sample(nowMillis);
        _silentLooks = isHeard ? 0 : Math.Min(_silentLooks + 1, Memory);
        Listen(index != 0 && (!isBusy || ++_busyLooks % LooksPerBusyLook == 0));
        return Tell();
    }

    public void Dispose() => Close();

    private bool Sample(long nowMillis)
    {
        MacAddress neighbour = _signs.Neighbour;
        if (_sender == neighbour)
        {
            // It was the neighbour's own system, before its server had introduced itself.
            (_best, _silentLooks) = (default, Memory);
        }

        long foreign = 0,
            all = 0;
        while (_tap is not null && _tap.TryTake(out ReadOnlySpan<byte> bytes))
        {
            if (bytes.Length < EthernetHeader.Length)
            {
                continue;
            }

            all++;
            MacAddress sender = EthernetHeader.Source(bytes);
            if (sender != neighbour && !ForeignFrame.IsIdleTalk(bytes) && foreign++ < MostDecoded)
            {
                Consider(ForeignFrame.Read(bytes), sender);
            }
        }

        // Those that found no room were of the same mixture.
        long drops = _tap?.TakeDrops() ?? 0;
        foreign += all > 0 ? drops * foreign / all : 0;
        if (foreign > 0)
        {
            _frames += foreign;
            _lastMillis = nowMillis;
        }

        return foreign > 0;
    }

    private void Consider(ForeignFrame frame, MacAddress sender)
    {
        // The name stays while there is nothing better: a cable with many senders is named after one.
        if (_best.Protocol is null || frame.Rank > _best.Rank || _silentLooks >= Memory)
        {
            (_best, _sender, _silentLooks) = (frame, sender, 0);
        }
    }

    private void Listen(bool wanted)
    {
        if (!wanted)
        {
            Close();
        }
        else if (_tap is null && !_failed)
        {
            // One that cannot be opened is not tried again and again: the cable works without.
            _tap = open();
            _failed = _tap is null;
        }
    }

    private bool Tell()
    {
        ForeignTraffic? known = _known;
        if (_best.Protocol is null || _silentLooks >= Memory)
        {
            (_best, _sender, _frames, _looksSinceTold) = (default, default, 0, 0);
            Volatile.Write(ref _known, null);
            return known is not null;
        }

        bool isOther = known?.Protocol != _best.Protocol || known.Source != _best.Source;
        if (!isOther && (++_looksSinceTold < LooksPerCount || known!.Frames == _frames))
        {
            return false;
        }

        _looksSinceTold = 0;
        Volatile.Write(
            ref _known,
            new ForeignTraffic(_best.Protocol, _best.Source, _sender.ToString(), _frames, _lastMillis)
        );
        return true;
    }

    private void Close()
    {
        _tap?.Dispose();
        _tap = null;
    }
}
