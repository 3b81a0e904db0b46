using CamCube.FrontEnds.Http;
using Microsoft.Net.Http.Headers;

namespace CamCube.FrontEnds.Tests;

/// <summary>Ranges of bytes, against what RFC 9110 says of them.</summary>
public sealed class HttpRangeTests
{
    [Theory]
    [InlineData("bytes=0-0", 10, 0, 1)]
    [InlineData("bytes=0-", 10, 0, 10)]
    [InlineData("bytes=9-", 10, 9, 1)]
    [InlineData("bytes=5-99", 10, 5, 5)]
    [InlineData("bytes=-3", 10, 7, 3)]
    [InlineData("bytes=-99", 10, 0, 10)]
    [InlineData("bytes=0-9223372036854775807", 10, 0, 10)]
    public void A_range_within_the_entity_is_taken(string header, long length, long from, long count)
    {
        Assert.True(HttpRange.TryRead(RangeHeaderValue.Parse(header), length, out HttpRange range));
        Assert.Equal(new HttpRange(from, count), range);
    }

    [Theory]
    [InlineData("bytes=10-", 10)]
    [InlineData("bytes=-0", 10)]
    [InlineData("bytes=0-0", 0)]
    [InlineData("bytes=-1", 0)]
    public void A_range_without_a_byte_is_refused(string header, long length) =>
        Assert.False(HttpRange.TryRead(RangeHeaderValue.Parse(header), length, out _));

    [Theory]
    [InlineData("bytes=0-1,3-4")]
    [InlineData("lines=0-1")]
    public void What_is_not_one_range_of_bytes_asks_for_the_whole(string header)
    {
        Assert.Null(HttpRange.TryRead(RangeHeaderValue.Parse(header), 10, out _));
        Assert.Null(HttpRange.TryRead(null, 10, out _));
    }
}
