using CamCube.FrontEnds.Http;

namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>The page at <c>/camdoop</c>. Any thread.</summary>
internal static class CamdoopPage
{
    /// <summary>It.</summary>
    public static WebPage Page { get; } = new(typeof(CamdoopPage).Assembly, "page.html");
}
