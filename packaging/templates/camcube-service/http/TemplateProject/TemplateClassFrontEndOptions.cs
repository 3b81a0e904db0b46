using CamCube.FrontEnds.Http;

namespace TemplateSpace;

/// <summary>Settings: <c>CamCube:FrontEnds:template-service-http</c>.</summary>
public sealed class TemplateClassFrontEndOptions : HttpFrontEndOptions;
