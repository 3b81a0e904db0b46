using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Sockets;

/// <summary>A file descriptor: a socket, an epoll, an eventfd. Closed once nobody is inside a call with it.</summary>
[SupportedOSPlatform("linux")]
internal sealed class DescriptorHandle : SafeHandleMinusOneIsInvalid
{
    public DescriptorHandle()
        : base(ownsHandle: true)
    {
    }

    public DescriptorHandle(int descriptor, bool ownsHandle = true)
        : base(ownsHandle) => SetHandle(descriptor);

    protected override bool ReleaseHandle() => LinuxCalls.Close((int)handle) == 0;
}
