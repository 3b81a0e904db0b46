using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Async;

/// <summary>
/// Linux's eventfd, waited for by ppoll: one system call to wake and one to sleep, to the microsecond. The runtime library's events cost a
/// mutex, a condition variable and, at their end, a second switch (measured: benchmarks/CamCube.Benchmarks/README.md).
/// </summary>
internal sealed partial class EventDescriptorSignal : LoopSignal
{
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const short Readable = 1;
    private readonly SafeFileHandle _descriptor;

    public EventDescriptorSignal()
    {
        int descriptor = EventDescriptor(0, CloseOnExec | NonBlocking);
        if (descriptor < 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }

        _descriptor = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    public override unsafe void Set()
    {
        // Fails only when the counter is full, and then the loop has its signal.
        ulong one = 1;
        _ = Write(_descriptor, &one, sizeof(ulong));
    }

    public override unsafe void Wait(long nanos)
    {
        var poll = new PollDescriptor { Descriptor = (int)_descriptor.DangerousGetHandle(), Events = Readable };
        var limit = new TimeSpec { Seconds = (nint)(nanos / 1_000_000_000), Nanos = (nint)(nanos % 1_000_000_000) };
        if (Poll(&poll, 1, &limit, null) > 0)
        {
            ulong count;
            _ = Read(_descriptor, &count, sizeof(ulong));
        }
    }

    public override void Dispose() => _descriptor.Dispose();

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    private static partial int EventDescriptor(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    private static unsafe partial nint Write(SafeFileHandle descriptor, void* bytes, nint length);

    [LibraryImport("libc", EntryPoint = "read")]
    private static unsafe partial nint Read(SafeFileHandle descriptor, void* bytes, nint length);

    [LibraryImport("libc", EntryPoint = "ppoll")]
    private static unsafe partial int Poll(PollDescriptor* descriptors, nuint count, TimeSpec* limit, void* signals);

    private struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanos;
    }
}
