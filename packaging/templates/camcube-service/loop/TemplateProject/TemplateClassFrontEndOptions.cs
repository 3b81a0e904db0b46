using CamCube.FrontEnds.Settings;

namespace TemplateSpace;

/// <summary>Settings: <c>CamCube:FrontEnds:template-service-lines</c>.</summary>
public sealed class TemplateClassFrontEndOptions : ConnectionOptions;
