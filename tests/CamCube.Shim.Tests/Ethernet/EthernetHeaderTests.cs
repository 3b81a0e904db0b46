using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Tests.Ethernet;

public sealed class EthernetHeaderTests
{
    private const string Addresses = "FFFFFFFFFFFF020000000077";

    [Theory]
    [InlineData("88B5", 14)]
    [InlineData("88B501", 14)]
    [InlineData("8100000088B501", 18)]
    [InlineData("8100E00088B5", 18)]
    [InlineData("88A8100088B501", 18)]
    [InlineData("8100000588B501", 0)]
    [InlineData("8100FFFF88B501", 0)]
    [InlineData("88A8000188B501", 0)]
    [InlineData("81000000080045", 0)]
    [InlineData("81000000810088B5", 0)]
    [InlineData("8100000088", 0)]
    [InlineData("81000000", 0)]
    [InlineData("8100", 0)]
    [InlineData("0800", 0)]
    [InlineData("88", 0)]
    public void A_frame_is_ours_without_a_tag_and_with_one_that_is_a_priority_only(string behindAddresses, int header)
    {
        byte[] frame = Convert.FromHexString(Addresses + behindAddresses);
        Assert.Equal(header, EthernetHeader.LengthIn(frame));
        Assert.Equal(0, EthernetHeader.LengthIn(frame.AsSpan(0, 12)));
    }
}
