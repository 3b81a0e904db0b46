using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>A file descriptor: a socket, an epoll, an eventfd. Closed once nobody is inside a call with it.</summary>
[SupportedOSPlatform("linux")]
public sealed class DescriptorHandle : SafeHandle
{
    /// <summary>None yet; a system call fills it.</summary>
    public DescriptorHandle()
        : base(-1, ownsHandle: true) { }

    /// <summary>A descriptor that is open.</summary>
    /// <param name="descriptor">Its number.</param>
    /// <param name="ownsHandle">Whether it is closed with this handle.</param>
    public DescriptorHandle(int descriptor, bool ownsHandle = true)
        : base(-1, ownsHandle) => SetHandle(descriptor);

    /// <summary>A call that returns an int says nothing of the upper half of the register that becomes the handle, so
    /// that −1 may come as 4,294,967,295.</summary>
    public override bool IsInvalid => (int)handle == -1;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => LinuxCalls.Close((int)handle) == 0;
}
