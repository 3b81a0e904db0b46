using Microsoft.Win32.SafeHandles;

namespace CamCube.Shim.Ethernet;

/// <summary>A pcap_t.</summary>
internal sealed class PcapHandle : SafeHandleZeroOrMinusOneIsInvalid
{
    public PcapHandle()
        : base(ownsHandle: true)
    {
    }

    protected override bool ReleaseHandle()
    {
        PcapCalls.Close(handle);
        return true;
    }
}
