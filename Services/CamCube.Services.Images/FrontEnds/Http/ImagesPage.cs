using CamCube.FrontEnds.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>The page at <c>/</c>. Any thread.</summary>
internal static class ImagesPage
{
    /// <summary>It.</summary>
    public static WebPage Page { get; } = new(typeof(ImagesPage).Assembly, "page.html", "'self' blob: data:");
}
