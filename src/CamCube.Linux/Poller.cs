using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// An epoll, level-triggered unless asked otherwise. What is watched has a small number as its key; an event that was
/// on its way when its descriptor was replaced is told apart by the key's generation and not shown. One thread.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class Poller : IDisposable
{
    private const int Add = 1;
    private const int Delete = 2;
    private const int Modify = 3;
    private const int CloseOnExec = 0x80000;
    private const long Longest = 1_000_000_000_000_000;

    // struct epoll_event is packed on x86-64 only: there its 8 bytes of data follow the 4 of events at once.
    private static readonly int DataOffset = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;

    private readonly DescriptorHandle _epoll;
    private readonly NativeBlock _events;
    private uint[] _generations;
    private readonly int _capacity;
    private readonly int _stride = DataOffset + sizeof(ulong);
    private bool _takesNanos = true;

    /// <summary>For keys from 0 up to a number, which is also the most events that one wait brings.</summary>
    public Poller(int keys)
    {
        _capacity = keys;
        _generations = new uint[keys];
        _events = new NativeBlock((nuint)(keys * 16));
        _epoll = LinuxCalls.CreateEpoll(CloseOnExec);
        if (_epoll.IsInvalid)
        {
            throw SystemError.Failure("epoll_create1", Marshal.GetLastPInvokeError());
        }
    }

    /// <summary>From now on the sleeps of this thread end when they should: Linux adds up to 50 us to each otherwise,
    /// to end several at once.
    /// </summary>
    public static void BeExact() => _ = LinuxCalls.Control(LinuxCalls.SetTimerSlack, 1, 0, 0, 0);

    /// <summary>The epoll itself: readable when an event waits.</summary>
    public SafeHandle Handle => _epoll;

    /// <summary>Allows keys up to a larger number; one wait still brings as many events as before.</summary>
    public void Reserve(int keys)
    {
        if (keys > _generations.Length)
        {
            Array.Resize(ref _generations, Math.Max(keys, _generations.Length * 2));
        }
    }

    /// <summary>Watches a descriptor under a key that is free.</summary>
    public void Watch(SafeHandle descriptor, int key, PollEvents events)
    {
        _generations[key]++;
        Control(Add, descriptor, key, events);
    }

    /// <summary>Watches for something else.</summary>
    public void Change(SafeHandle descriptor, int key, PollEvents events) => Control(Modify, descriptor, key, events);

    /// <summary>Watches it no longer. Before it is closed.</summary>
    public void Forget(SafeHandle descriptor, int key)
    {
        _generations[key]++;

        // A descriptor whose device is gone may be out already.
        _ = LinuxCalls.ControlEpoll(_epoll, Delete, descriptor, _events.Pointer);
    }

    /// <summary>Sleeps until something has happened, at most so long: 0 looks only, <see cref="long.MaxValue"/> is for
    /// ever. Returns the number of events, for <see cref="TryGet"/>.</summary>
    public int Wait(long nanos)
    {
        int count =
            nanos <= 0 ? LinuxCalls.WaitEpoll(_epoll, _events.Pointer, _capacity, 0) : Sleep(Math.Min(nanos, Longest));
        if (count >= 0)
        {
            return count;
        }

        int error = Marshal.GetLastPInvokeError();
        return error == SystemError.Interrupted ? 0 : throw SystemError.Failure("epoll_wait", error);
    }

    /// <summary>An event of the last <see cref="Wait"/>. False: its descriptor is not watched any more.</summary>
    public bool TryGet(int index, out int key, out PollEvents events)
    {
        byte* at = _events.Pointer + (index * _stride);
        events = (PollEvents)Unsafe.ReadUnaligned<uint>(at);
        ulong data = Unsafe.ReadUnaligned<ulong>(at + DataOffset);
        key = (int)(uint)data;
        return _generations[key] == (uint)(data >> 32);
    }

    /// <summary>Closes the epoll. What it watches stays open.</summary>
    public void Dispose()
    {
        _epoll.Dispose();
        _events.Dispose();
    }

    private int Sleep(long nanos)
    {
        var limit = new LinuxCalls.TimeSpec(nanos);
        if (_takesNanos)
        {
            try
            {
                int count = LinuxCalls.WaitEpollNanos(_epoll, _events.Pointer, _capacity, &limit, null);
                if (count >= 0 || Marshal.GetLastPInvokeError() != SystemError.NotImplemented)
                {
                    return count;
                }
            }
            catch (EntryPointNotFoundException)
            {
                // An older C library: the same in two calls.
            }

            _takesNanos = false;
        }

        var poll = new LinuxCalls.PollDescriptor { Descriptor = (int)_epoll.DangerousGetHandle(), Events = 1 };
        int ready = LinuxCalls.Poll(&poll, 1, &limit, null);
        return ready > 0 ? LinuxCalls.WaitEpoll(_epoll, _events.Pointer, _capacity, 0) : ready;
    }

    private void Control(int operation, SafeHandle descriptor, int key, PollEvents events)
    {
        byte* change = stackalloc byte[16];
        Unsafe.WriteUnaligned(change, (uint)events);
        Unsafe.WriteUnaligned(change + DataOffset, (uint)key | ((ulong)_generations[key] << 32));
        if (LinuxCalls.ControlEpoll(_epoll, operation, descriptor, change) < 0)
        {
            throw SystemError.Failure("epoll_ctl", Marshal.GetLastPInvokeError());
        }
    }
}
