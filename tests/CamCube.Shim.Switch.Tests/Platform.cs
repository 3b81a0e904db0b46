// The ports work on Linux only, and so do their tests.
[assembly: System.Runtime.Versioning.SupportedOSPlatform("linux")]
