using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using CamCube.Services.Messenger.Counting;

namespace CamCube.Services.Messenger.Windows;

/// <summary>
/// The one allocator of windows (LibRIPC §5.2): sizes are powers of two, each with a list of free ones, of which the
/// one used last is used first: its bytes are in the processor's caches still. Loop only.
/// </summary>
internal sealed class WindowPool
{
    private const int LeastBits = 12,
        MostBits = 30;
    private readonly Stack<Window>[] _free = new Stack<Window>[MostBits + 1];
    private readonly HashSet<Window> _rented = [];
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private IMemoryClaim? _claim;

    public WindowPool(IServer server, MessengerOptions options, MessengerCounters counters)
    {
        (_server, _options, _counters) = (server, options, counters);
        for (int bits = LeastBits; bits <= MostBits; bits++)
        {
            _free[bits] = new Stack<Window>();
        }
    }

    /// <summary>Windows that somebody has.</summary>
    public int Rented => _rented.Count;

    public bool TryRent(int length, [NotNullWhen(true)] out Window? window)
    {
        window = null;
        if (length is <= 0 or > 1 << MostBits)
        {
            return false;
        }

        int bits = Math.Max(LeastBits, BitOperations.Log2((uint)length - 1) + 1);
        if (!_free[bits].TryPop(out window))
        {
            if (!TryGrow(1L << bits))
            {
                return false;
            }

            window = new Window(GC.AllocateUninitializedArray<byte>(1 << bits));
        }

        _rented.Add(window);
        _counters.WindowBytes.Add(window.Length);
        return true;
    }

    public void Return(Window window)
    {
        ArgumentNullException.ThrowIfNull(window);
        if (window.State != WindowState.Free || !_rented.Remove(window))
        {
            throw new ArgumentException(
                "The window is none of the messenger's, was given back, or is not free: withdraw it, or release its "
                    + "message first.",
                nameof(window)
            );
        }

        _counters.WindowBytes.Add(-window.Length);
        _free[BitOperations.Log2((uint)window.Length)].Push(window);
    }

    // Free windows of other sizes go first when the memory is used up.
    private bool TryGrow(long bytes)
    {
        if (_claim is null && !_server.Memory.TryClaim("windows", 0, out _claim))
        {
            return false;
        }

        for (int bits = MostBits; _claim.Bytes + bytes > _options.WindowMemory && bits >= LeastBits; bits--)
        {
            while (_claim.Bytes + bytes > _options.WindowMemory && _free[bits].TryPop(out _))
            {
                _claim.Shrink(1L << bits);
            }
        }

        return _claim.Bytes + bytes <= _options.WindowMemory && _claim.TryGrow(bytes);
    }
}
